import { connect, type Socket } from 'node:net';

/** Stays half open when the server closes its side. */
export function openConnection(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  return socket;
}

/** Sends raw bytes, which fetch would normalise, and reads until the connection ends. */
export async function rawRequest(
  origin: string,
  text: string,
): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks).toString('utf8');
  const [head = '', ...body] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') };
}

export const rawGet = (origin: string, target: string, host = 'najwa.example') =>
  rawRequest(origin, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
