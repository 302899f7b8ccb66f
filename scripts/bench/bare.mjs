// The fastest possible server: the same response to every request, from the file in the first argument.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , file] = process.argv;
const body = file === undefined ? Buffer.from('true') : readFileSync(file);
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
