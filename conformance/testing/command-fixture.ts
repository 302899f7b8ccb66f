import { main } from '../proxy/main.ts';

const env = { TOKEN: 'let-me-in', EMPTY: '', ODD: 'let me in' };

/** The command, for tests, as somebody has it run who does something with it while it listens and then stops it. */
export async function command(argv: readonly string[], meanwhile?: (url: string, stop: () => void) => Promise<unknown>) {
  const [out, err]: [string[], string[]] = [[], []];
  let stop = () => {};
  let listening: (url: string) => void = () => {};
  const url = new Promise<string>((done) => {
    listening = done;
  });
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: {
      write: (text: string) => {
        err.push(text);
        const address = /^Watching: (\S+)/.exec(text)?.[1];
        if (address) listening(address);
      },
    },
    once: (name: string, listener: () => void) => {
      if (name === 'SIGTERM') stop = listener;
    },
    off: () => {},
  };
  const running = main(argv, env, io);
  const at = meanwhile && (await Promise.race([url, running]));
  if (typeof at === 'string') {
    await meanwhile?.(at, () => stop());
    stop();
  }
  return { code: await running, out: out.join(''), err: err.join('') };
}
