import net from 'node:net';

// No test may depend on anything outside of this machine, whatever a package under test would like to ask.
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::']);

const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function connectToLoopback(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof options === 'object' && options !== null ? (options.path ? 'localhost' : (options.host ?? 'localhost')) : typeof args[1] === 'string' ? args[1] : 'localhost';
  if (!LOOPBACK.has(host) && !host.startsWith('127.')) {
    throw new Error(`A test tried to reach ${host}. Tests reach this machine only.`);
  }
  return connect.apply(this, args);
};
