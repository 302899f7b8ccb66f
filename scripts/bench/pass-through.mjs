// What node:http can do at best as a proxy: passes everything on to the address on the command line, and looks at nothing.
import { Agent, createServer, request } from 'node:http';

const target = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const upstream = request({ hostname: target.hostname, port: target.port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(upstream);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
