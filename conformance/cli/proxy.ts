import { files, text, toggle, type Values, wholeNumber } from '../../command-line/flags.ts';
import type { Environment } from '../../command-line/io.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { baseUrl, isLoopback } from '../core/target.ts';
import { suite } from '../core/text.ts';
import { leadsToProxy, OWN_ANSWER, TOKEN_HEADER } from '../proxy/forwarder.ts';
import { Recorder, readRecord } from '../proxy/record.ts';
import { type WatchOptions, watchLive, watchRecord } from '../proxy/watch.ts';
import { findingLine } from '../report/proxy-document.ts';
import { type Io, onInterrupt } from './context.ts';
import { removedFlags, reportFlags } from './flags.ts';
import { finish, outputFrom } from './output.ts';
import { overridesOf, secretIn, variantFrom } from './target.ts';

const flags = {
  target: text('URL', 'the service to forward to; a remote target needs https'),
  port: wholeNumber('N', 'port for clients; default: any free port', [0, 65_535]),
  host: text('HOST', 'address to listen at; default: 127.0.0.1; a remote address needs --token-env'),
  'token-env': text('NAME', `environment variable with a token that clients send in ${TOKEN_HEADER}; it is not forwarded`),
  'only-client': toggle('no other client, automation or user acts on the account: possible violations are violations'),
  variant: files('variant file, as of conformance learn: how to read the wire of the target'),
  record: text('FILE', 'append the exchanges to this file, with pseudonyms for keys, codes, links, addresses and texts'),
  replay: text('FILE', 'check a record; no traffic'),
  ...reportFlags,
  quiet: toggle('no line for each finding on standard error'),
};
type ProxyValues = Values<typeof flags>;

const notes = `The client's x-api-key is forwarded; the proxy has no key, and sends no requests of its own. Webhook deliveries do not pass through it.
Answers of the proxy itself have the header ${OWN_ANSWER}: 502 if the target gives no answer, 403 if the token is missing.

Exit codes: 0 at least one stated clause held and none is violated; 1 a stated clause is violated; 2 usage, nothing was forwarded;
3 the target gave no complete answer; 4 no stated clause could be checked; 6 the proxy itself failed.`;

export function proxyCommand(env: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'proxy',
    summary: 'Checks the traffic between a client and a service against the specification',
    flags,
    notes,
    removedFlags: { ...removedFlags, key: 'There is no --key: the proxy forwards the key that the client sends.' },
    run: (values) => (values.replay === undefined ? watchTraffic(values, env, io) : checkRecord(values, values.replay, io)),
  });
}

async function watchTraffic(values: ProxyValues, env: Environment, io: Io): Promise<number> {
  if (values.target === undefined)
    throw new UsageError(
      '--target is missing. Name the service to forward to: --target http://127.0.0.1:8460, or a record: --replay FILE.',
    );
  const { host = '127.0.0.1', port = 0, record } = values;
  const target = baseUrl(values.target);
  const variable = values['token-env'];
  const token = variable === undefined ? undefined : secretIn(variable, '--token-env', 'token', env);
  if (token === undefined && !isLoopback(host.includes(':') ? `[${host}]` : host))
    throw new UsageError(`--host ${host} lets other machines use the target through the proxy. Add a token: --token-env NAME.`);
  if (leadsToProxy(target, host, port))
    throw new UsageError(`--target ${target} is the address of the proxy itself. Name the service's URL, or another --port.`);
  const output = outputFrom(values);
  const options = await optionsOf(values, io);
  const recorder = record === undefined ? undefined : new Recorder(record, target, new Date().toISOString(), options.notice);
  const live = await watchLive({ ...options, target, host, port, token, recorder }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'listen' || error.syscall === 'getaddrinfo'
      ? new UsageError(`The proxy cannot listen at ${host}, port ${port} (${error.code}). Choose another --port or --host.`)
      : error;
  });
  io.stderr.write(`Forwarding ${live.url} to ${target}\n`);
  await interrupted(io);
  const result = await live.stop();
  return finish(io, [result], output);
}

async function checkRecord(values: ProxyValues, file: string, io: Io): Promise<number> {
  const unused = (['target', 'port', 'host', 'token-env', 'record'] as const).find((name) => values[name] !== undefined);
  if (unused) throw new UsageError(`--replay reads a record and forwards nothing. Leave out --${unused}, or --replay.`);
  const record = readRecord(file);
  const output = outputFrom(values);
  if (record.isCut) io.stderr.write(`A line of ${file} is not complete and was ignored.\n`);
  return finish(io, [watchRecord(record, await optionsOf(values, io))], output);
}

async function optionsOf(values: ProxyValues, io: Io): Promise<WatchOptions> {
  return {
    reader: new Reader(standardDocument, overridesOf(await variantFrom(values.variant))),
    onlyClient: values['only-client'] === true,
    suite,
    report: (finding) => values.quiet !== true && io.stderr.write(findingLine(finding)),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

/** Resolves at the first interrupt. A second interrupt ends the process. */
function interrupted(io: Io): Promise<void> {
  return new Promise((done) => {
    const ignore = onInterrupt(io, () => {
      ignore();
      done();
    });
  });
}
