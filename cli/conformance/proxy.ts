import { once } from 'node:events';
import { TARGET_HEADER } from '../../conformance/core/trust.ts';
import { baseUrl, isLoopback } from '../../conformance/http/target.ts';
import { leadsToProxy, OWN_RESPONSE, TOKEN_HEADER } from '../../conformance/proxy/forwarder.ts';
import { Recorder, readRecord } from '../../conformance/proxy/record.ts';
import { type WatchOptions, watchLive, watchRecord } from '../../conformance/proxy/watch.ts';
import { findingLine } from '../../conformance/report/proxy-document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { readVariant } from '../../openapi/effective/variant.ts';
import { text, toggle, type Values, wholeNumber } from '../flags.ts';
import type { Environment } from '../io.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { type CliContext, interruptible, type SuiteIo } from './context.ts';
import { exitNotes, inputFlags, refusedFlags, reportFlags } from './flags.ts';
import { finish, outputFrom } from './output.ts';
import { overridesOf, secretIn } from './target.ts';

const flags = {
  target: text('URL', 'service to forward to; https for a remote target'),
  port: wholeNumber('N', 'port for clients (default: any free port)', [0, 65_535]),
  host: text('HOST', 'address for clients (default: 127.0.0.1), else with --token-env'),
  'token-env': text('NAME', `environment variable with the token that clients send in ${TOKEN_HEADER}`),
  'only-client': toggle('no other client changes the account: possible violations are certain'),
  variant: inputFlags.variant,
  record: text('FILE', 'appends the exchanges to this file; secrets become pseudonyms'),
  replay: text('FILE', 'checks a file that --record wrote; forwards nothing'),
  ...reportFlags,
  quiet: toggle('prints findings only in the report'),
};
type ProxyValues = Values<typeof flags>;

const exitTexts = {
  0: 'at least one stated rule held, and none is violated',
  1: 'a stated rule is violated',
  2: 'a flag or file is missing or wrong; nothing was forwarded',
  3: 'the target gave no complete response',
  4: 'no stated rule could be checked',
  6: 'a defect of the proxy, or results could not be written',
};

const notes = `The proxy forwards the client's x-api-key, and sends no requests of its own. Webhook deliveries do not pass through the proxy.
Responses of the proxy itself have the header ${OWN_RESPONSE}: 502 if the target gives no response, 403 if the token is missing, or the host is not this machine.
All forwarded responses have the header ${TARGET_HEADER} with the URL of the target.
${exitNotes([0, 1, 2, 3, 4, 6], exitTexts)}`;

export function proxyCommand(environment: Environment, io: SuiteIo): CommandDefinition {
  const context = { environment, io };
  return defineCommand({
    usage: 'proxy',
    summary: 'Checks the traffic between a client and a service against the specification',
    flags,
    notes,
    examples: [
      'giftcard-sandbox proxy --target https://api.example.com --port 9000',
      'giftcard-sandbox proxy --target http://127.0.0.1:8460 --record traffic.jsonl',
      'giftcard-sandbox proxy --replay traffic.jsonl --reporter junit --out reports',
    ],
    refusedFlags: { ...refusedFlags, key: 'There is no --key: the proxy forwards the key that the client sends.' },
    run: (values) => (values.replay === undefined ? watchTraffic(values, context) : checkRecord(values, values.replay, context)),
  });
}

async function watchTraffic(values: ProxyValues, context: CliContext): Promise<number> {
  const { environment, io } = context;
  if (values.target === undefined)
    throw new UsageError('No target is given. Forward requests with --target URL, or check a record with --replay FILE.');
  const { host = '127.0.0.1', port = 0, record } = values;
  const target = baseUrl(values.target);
  const variable = values['token-env'];
  const token = variable === undefined ? undefined : secretIn(variable, '--token-env', 'token', environment);
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
  await once(interruptible(io).signal, 'abort');
  const result = await live.stop();
  return finish(context, [result], output);
}

async function checkRecord(values: ProxyValues, file: string, context: CliContext): Promise<number> {
  const { io } = context;
  const unused = (['target', 'port', 'host', 'token-env', 'record'] as const).find((name) => values[name] !== undefined);
  if (unused) throw new UsageError(`--replay reads a record and forwards nothing. Leave out --${unused}, or --replay.`);
  const record = readRecord(file);
  const output = outputFrom(values);
  if (record.isCut) io.stderr.write(`A line of ${file} is incomplete and was ignored.\n`);
  return finish(context, [watchRecord(record, await optionsOf(values, io))], output);
}

async function optionsOf(values: ProxyValues, io: SuiteIo): Promise<WatchOptions> {
  return {
    reader: new Reader(standardDocument, overridesOf(values.variant && (await readVariant(values.variant)))),
    onlyClient: values['only-client'] === true,
    report: (finding) => values.quiet !== true && io.stderr.write(findingLine(finding)),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}
