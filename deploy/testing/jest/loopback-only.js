import net from 'node:net';

// This machine and the infrastructure, which may be in Docker or given by the environment.
const infrastructure = ['MONGO_URL', 'AMQP_URL', 'S3_ENDPOINT']
  .map((name) => process.env[name])
  .filter((address) => address && URL.canParse(address));
const REACHABLE = new Set([
  'localhost',
  '127.0.0.1',
  '::1',
  '0.0.0.0',
  '::',
  ...infrastructure.map((address) => new URL(address).hostname),
]);

const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function connectToReachable(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host =
    typeof options === 'object' && options !== null
      ? options.path
        ? 'localhost'
        : (options.host ?? 'localhost')
      : typeof args[1] === 'string'
        ? args[1]
        : 'localhost';
  if (!REACHABLE.has(host) && !host.startsWith('127.')) {
    throw new Error(
      `A test tried to connect to ${host}. Tests may only connect to this machine and their infrastructure.`,
    );
  }
  return connect.apply(this, args);
};
