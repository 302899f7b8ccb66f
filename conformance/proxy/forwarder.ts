import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { isToken, TOKEN_HEADER } from './door.ts';
import { pairs, passedBack, passedOn } from './headers.ts';
import { passInterim } from './interim.ts';
import { Kept } from './kept.ts';
import { answerOurselves, lostOnTheWay, refuseUnreadable } from './own-answers.ts';
import { type Answered, headersOf, type Lost, type Passed } from './passed.ts';
import { hearLastWords } from './response-during-upload.ts';
import { Ways } from './ways.ts';

export interface PassingOptions {
  /** Base URL of the deployment. */
  readonly target: string;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Without it nobody is asked for one. */
  readonly token?: string | undefined;
  /** Is handed each exchange when it is over, in the order in which they end. */
  readonly seen: (passed: Passed) => void;
  /** Is told when one begins, so that what overlaps it can be waited for. */
  readonly begun?: (began: number) => void;
}

export interface Passing {
  readonly url: string;
  /** How many requests are. */
  readonly underWay: number;
  /** Takes nothing new and resolves once all that is under way is over; what takes longer than `ms`, or until somebody is in a hurry, is broken off. */
  close(ms: number, hurry?: AbortSignal): Promise<void>;
}

const mostHeaders = 65_536;

/** Passes everything on to the target and back, as it is. Rejects with node's error where it cannot listen. */
export async function passing(options: PassingOptions): Promise<Passing> {
  const target = new URL(options.target);
  const isTls = target.protocol === 'https:';
  const ask = isTls ? httpsRequest : httpRequest;
  const base = target.pathname.replace(/\/$/, '');
  const address = { hostname: target.hostname.replace(/^\[|\]$/g, ''), port: target.port || (isTls ? 443 : 80) };
  const ways = new Ways(isTls);
  /** How each request that is under way is broken off. */
  const underWay = new Set<() => void>();
  let sequence = 0;
  let isClosing = false;
  let allOver = () => {};

  function pass(incoming: IncomingMessage, response: ServerResponse, waitsForLeave: boolean): void {
    if (options.token !== undefined && !isToken(incoming.headers[TOKEN_HEADER], options.token)) {
      incoming.resume();
      answerOurselves(
        response,
        403,
        'token',
        `This proxy asks for its own token in the header ${TOKEN_HEADER}; nothing was passed on.`,
      );
      return;
    }
    sequence += 1;
    const [began, at] = [sequence, Date.now()];
    options.begun?.(began);
    const { socket } = incoming;
    const way = ways.of(socket);
    way.underWay += 1;
    const [asked, told] = [new Kept(), new Kept()];
    const { method = 'GET', url = '/' } = incoming;
    const path = url.replace(/^https?:\/\/[^/?]*/i, '') || '/';
    let head: Omit<Answered, 'body'> | undefined;
    let isOver = false;

    const over = (lost: Lost | undefined) => {
      if (isOver) return;
      isOver = true;
      underWay.delete(breakOff);
      way.underWay -= 1;
      way.isAnswering = false;
      sequence += 1;
      const answer = head && { ...head, body: told.bytes };
      const passed = {
        began,
        ended: sequence,
        at,
        ms: Date.now() - at,
        method,
        target: path,
        headers: headersOf(incoming.rawHeaders),
      };
      options.seen({ ...passed, body: incoming.complete ? asked.bytes : 'cut', answer: lost ? undefined : answer, lost });
      if (underWay.size === 0) allOver();
    };

    const breakOff = () => {
      over({ why: 'broken off by the proxy', unsent: !isConnected, code: 'STOPPED' });
      if (response.headersSent) socket.destroy();
      else answerOurselves(response, 502, 'stopped', 'The proxy was stopped before the target had answered.');
      upstream.destroy();
    };
    underWay.add(breakOff);

    const upstream = ask({
      ...address,
      method,
      path: base + path,
      headers: passedOn(method, incoming.rawHeaders, target.host),
      agent: way.agent,
      maxHeaderSize: mostHeaders,
    });
    let isConnected = false;
    upstream.on('socket', (line) => {
      const connected = () => {
        isConnected = true;
      };
      if (line.connecting) line.once(isTls ? 'secureConnect' : 'connect', connected);
      else connected();
      if (way.watched.has(line)) return;
      way.watched.add(line);
      hearLastWords(line);
      // A client that is not waiting for anything learns at once that the target has closed, as it would without us.
      line.once('close', () => way.underWay === 0 && socket.end());
    });
    upstream.on('continue', () => response.writeContinue());
    upstream.on('information', (interim) => passInterim(interim, response));
    upstream.on('upgrade', (_, line) => {
      line.destroy();
      over({ why: 'broken off by the target', unsent: false, code: 'UPGRADE' });
      answerOurselves(response, 501, 'upgrade', 'The target wants to speak another protocol, which this proxy does not pass on.');
    });
    upstream.on('response', (answer) => {
      answer.on('error', () => {});
      head = { status: answer.statusCode ?? 0, headers: headersOf(answer.rawHeaders) };
      const takesTrailers = method !== 'HEAD' && incoming.httpVersion !== '1.0' && ![204, 304].includes(head.status);
      response.sendDate = false;
      try {
        response.writeHead(head.status, answer.statusMessage, passedBack(answer.rawHeaders, takesTrailers));
      } catch {
        // Node reads some heads of answers that it does not write.
        over({ why: 'broken off by the target', unsent: false, code: 'HEAD' });
        upstream.destroy();
        answerOurselves(
          response,
          502,
          'no-answer',
          'The target answered with a status line or headers that this proxy cannot pass on.',
        );
        return;
      }
      way.isAnswering = true;
      answer.on('data', (part: Buffer) => told.add(part));
      answer.on('aborted', () => {
        over({ why: 'broken off by the target', unsent: false, code: 'ECONNRESET' });
        socket.destroy();
      });
      answer.on('end', () => {
        if (!answer.complete) return;
        over(lostOnTheWay(head?.headers));
        response.addTrailers(pairs(answer.rawTrailers));
        response.end();
      });
      answer.pipe(response, { end: false });
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      const wasOver = isOver;
      const { code = error.name } = error;
      over({ why: isConnected ? 'broken off by the target' : 'unreachable', unsent: !isConnected, code });
      if (wasOver || response.headersSent) {
        if (!response.writableEnded) socket.destroy();
      }
      // A line that was used before and is closed just now: without us, it would be the client's own that is closed.
      else if (upstream.reusedSocket) socket.destroy();
      else
        answerOurselves(
          response,
          502,
          'no-answer',
          `The target gave no answer (${code}). This is said by the proxy, not by the service.`,
        );
    });

    upstream.on('close', () => {
      // The rest of a request that nobody takes any more is let in all the same: a client reads no answer before it has sent everything.
      incoming.unpipe(upstream);
      incoming.resume();
    });
    response.on('close', () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections());
      if (response.writableFinished) return;
      over({ why: 'broken off by the client', unsent: !isConnected, code: 'ABORTED' });
      upstream.destroy();
    });
    incoming.on('data', (part: Buffer) => asked.add(part));
    incoming.on('error', () => {});
    if (waitsForLeave) upstream.flushHeaders();
    incoming.on('end', () => {
      // Who has answered already may have closed.
      if (upstream.destroyed) return;
      upstream.addTrailers(pairs(incoming.rawTrailers));
      upstream.end();
    });
    incoming.pipe(upstream, { end: false });
  }

  const server = createServer(
    { keepAliveTimeout: 0, requireHostHeader: false, maxHeaderSize: mostHeaders },
    (incoming, response) => pass(incoming, response, false),
  );
  // The target says when a request ends, and nobody else.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, timeout: 0 });
  server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => pass(incoming, response, true));
  server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => pass(incoming, response, false));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseUnreadable(error, socket, ways.known(socket)?.isAnswering === true),
  );
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port, options.host, done);
  });
  server.on('error', () => {});
  const { address: host, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`,
    get underWay() {
      return underWay.size;
    },
    close: (ms, hurry) =>
      new Promise((done) => {
        isClosing = true;
        const endAll = () => {
          for (const breakOff of underWay) breakOff();
          // What has just been said goes out first.
          setImmediate(() => server.closeAllConnections());
        };
        const late = setTimeout(endAll, ms);
        hurry?.addEventListener('abort', endAll);
        if (hurry?.aborted) endAll();
        server.close(() => {
          clearTimeout(late);
          hurry?.removeEventListener('abort', endAll);
          // Of a client that has just gone, its request learns a moment later.
          if (underWay.size === 0) done();
          else allOver = done;
        });
        server.closeIdleConnections();
      }),
  };
}
