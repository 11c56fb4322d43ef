import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Unavailable } from '../../bootstrap/environment.js';
import { accepts, freePort } from '../../processes/ports.js';
import { Program } from '../../processes/program.js';
import { onPath } from '../../bootstrap/processes.js';
import {
  loadCredentials,
  partOfProgram,
  programEnvironment,
  type ProvidedPart,
  type ProviderContext,
  type Source,
} from '../part.js';

/** Debian's program on PATH changes the user. This is the server behind it. */
const DEBIAN_SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** Without ports, which change with every start. */
const CONFIGURATION = `
# The write-ahead log of quorum queues is sized for servers: half a gigabyte.
raft.wal_max_size_bytes = 67108864
disk_free_limit.absolute = 100MB
vm_memory_high_watermark.absolute = 512MB
log.file = false
log.console = true
log.console.level = warning
`;

/** Idle schedulers must not spin. */
const ERLANG_ARGUMENTS =
  '-start_epmd false -kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none';

/** @returns the server that runs as its caller */
export const rabbitmqServer = async (): Promise<string | undefined> => {
  const found = await onPath('rabbitmq-server');
  return found && ((await onPath(path.basename(DEBIAN_SERVER), path.dirname(DEBIAN_SERVER))) ?? found);
};

/** With its own epmd, to avoid clashes with other nodes. */
export async function startRabbitmq(
  server: string,
  source: Source,
  { supervisor, environment, signal }: ProviderContext,
): Promise<ProvidedPart> {
  const epmd = await onPath('epmd');
  if (!epmd) throw new Unavailable('there is a rabbitmq-server, but no epmd of Erlang');
  const home = path.join(supervisor.folder, 'rabbitmq');
  await mkdir(path.join(home, 'mnesia'), { recursive: true });
  await mkdir(path.join(home, 'log'), { recursive: true });
  const [configuration, plugins] = [path.join(home, 'rabbitmq.conf'), path.join(home, 'enabled_plugins')];
  const { user, password } = await loadCredentials(supervisor, 'rabbitmq');
  const credentials = `default_user = ${user}\ndefault_pass = ${password}\n`;
  await writeFile(configuration, `${CONFIGURATION}${credentials}`, { mode: 0o600 });
  await writeFile(plugins, '[].\n');
  const [port, distributionPort, epmdPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    ...programEnvironment(environment),
    HOME: home,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };

  const program = new Program('RabbitMQ', async function* (signal) {
    yield await supervisor.start(
      {
        name: 'epmd',
        command: epmd,
        args: ['-port', String(epmdPort), '-address', '127.0.0.1'],
        env,
        ready: () => accepts(epmdPort),
      },
      signal,
    );
    yield await supervisor.start(
      {
        name: 'rabbitmq',
        command: server,
        args: [],
        env: {
          ...env,
          RABBITMQ_NODENAME: 'najwa@localhost',
          RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
          RABBITMQ_NODE_PORT: String(port),
          RABBITMQ_DIST_PORT: String(distributionPort),
          RABBITMQ_MNESIA_BASE: path.join(home, 'mnesia'),
          RABBITMQ_LOG_BASE: path.join(home, 'log'),
          RABBITMQ_CONFIG_FILE: configuration,
          RABBITMQ_CONF_ENV_FILE: path.join(home, 'rabbitmq-env.conf'),
          RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
          RABBITMQ_GENERATED_CONFIG_DIR: path.join(home, 'config'),
          RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: ERLANG_ARGUMENTS,
        },
        cwd: home,
        ready: () => accepts(port),
      },
      signal,
    );
  });
  return partOfProgram(
    program,
    {
      name: 'amqp',
      source,
      description: 'rabbitmq-server',
      env: { AMQP_URL: `amqp://${user}:${password}@127.0.0.1:${port}` },
    },
    signal,
  );
}
