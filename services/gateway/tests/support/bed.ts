import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createEvent, EventBus } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { createServiceCaller, type UnaryHandlers } from '@najwa/common/grpc';
import { hashSessionToken } from '@najwa/common/http';
import { createIdentityVerifier, IDENTITY_HEADER, type Identity, type IdentityVerifier } from '@najwa/common/identity';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { createBackendService, grpcService, type BackendOptions, type BackendService } from '@najwa/common/service';
import { create, loadConfig, type GatewayService } from '@najwa/gateway';
import { AuthServiceService, type ResolveSessionResponse } from '@najwa/proto/auth';
import { API_SERVICES, type ApiService } from '@najwa/proto/http/client';
import { MessagesServiceService } from '@najwa/proto/messages';
import { chosenShell, deleteTopology, eventually, requiredVariable } from '@najwa/testing';
import { expect } from '@jest/globals';
import { createAuthClient } from '../../src/clients/auth.js';
import { createClock, type Clock } from './clock.js';
import { startUpstream, type SeenRequest, type Upstream } from './upstream.js';

type UpstreamName = ApiService | 'web';

/** On a busy machine, auth's answer may take longer than the gateway waits for it. */
const PATIENCE_MS = 60_000;

const UPSTREAMS: readonly UpstreamName[] = [...API_SERVICES, 'web'];

/** A real gateway in front of stand-ins for the services. */
export interface GatewayBed {
  origin: string;
  /** Prefix of the names at the broker. */
  prefix: string;
  gateway: GatewayService;
  clock: Clock;
  upstreams: Record<UpstreamName, Upstream>;
  /** @returns the session's token and header */
  signIn: (session?: Partial<ResolveSessionResponse>) => SignedIn;
  /** By token hash, hexadecimal. */
  sessions: Map<string, ResolveSessionResponse>;
  /** Number of resolved sessions. */
  resolutions: () => number;
  /** Delays auth's answers. @returns releases them */
  holdResolutions: () => () => void;
  /** Serves auth and messages over gRPC. */
  authRpc: BackendService;
  /** Answer of messages about an account's notifications. */
  notifications: NotificationsStandIn;
  /** For another gateway in front of the same stand-ins. */
  environment: Record<string, string>;
  publish(payload: Parameters<typeof createEvent>[1]): Promise<void>;
  /** Verified as auth does. */
  identityOf(request: SeenRequest | undefined): Promise<Identity>;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  stop(): Promise<void>;
}

export interface NotificationsStandIn {
  /** Ids of the notifications that there are. */
  ids: number[];
  /** Behind the token `way-back`. */
  messageId: number;
  /** Networks that asked for a way back. */
  networks: string[];
  isDown: boolean;
}

/** The tag of an account, for replies. */
export const tagOf = (userId: number): string => `tag-of-${userId}`;

const messagesHandlers = (state: NotificationsStandIn): Partial<UnaryHandlers<typeof MessagesServiceService>> => ({
  followNotifications({ userId, after, ids, withoutCount }) {
    if (state.isDown) throw new AppError({ code: 'unavailable', message: 'Down.' });
    const shown = state.ids.filter((id) => ids.includes(id) || (after > 0 && id > after));
    return Promise.resolve({
      accounts: [tagOf(userId), String(userId)],
      notifications: shown.map((id) => ({ id, body: JSON.stringify({ id }) })),
      unread: withoutCount ? undefined : state.ids.length,
    });
  },
  followWayBack({ token, network }) {
    state.networks.push(network);
    return token === 'way-back'
      ? Promise.resolve({ messageId: state.messageId })
      : Promise.reject(new AppError({ code: 'message_not_found', message: 'There is no such message.' }));
  },
});

export interface SignedIn {
  token: string;
  headers: { cookie: string };
}

const logger = () => createLogger({ service: 'test', level: 'silent' });

async function startAuthRpc(
  identities: IdentityVerifier,
  gatewayKey: string,
  resolve: (tokenHash: Buffer) => Promise<ResolveSessionResponse | undefined>,
  notifications: NotificationsStandIn,
) {
  const service = createBackendService({
    host: '127.0.0.1',
    port: 0,
    logger: logger(),
    metrics: new Metrics('auth-stand-in'),
    identities,
    routes: ((_request: unknown, _response: unknown, next: () => void) =>
      next()) as unknown as BackendOptions['routes'],
    grpc: {
      port: 0,
      publicKeys: new Map([['gateway', [createPublicKey(gatewayKey)]]]),
      register: (server) => {
        grpcService(
          MessagesServiceService,
          messagesHandlers(notifications) as UnaryHandlers<typeof MessagesServiceService>,
        )(server);
        grpcService(AuthServiceService, {
          resolveSession: async ({ tokenHash }) => {
            const session = await resolve(tokenHash);
            if (session) return session;
            throw new AppError({ code: 'session_not_found', message: 'This session has ended.' });
          },
        } as UnaryHandlers<typeof AuthServiceService>)(server);
      },
    },
    dispose: [],
  });
  await service.start();
  return service;
}

const busOf = (url: string, prefix: string): EventBus =>
  new EventBus({ url, prefix, subscribers: [], service: 'test', logger: logger(), metrics: new Metrics('test') });

/** @param environment added to that of the stand-ins */
export async function startGatewayBed(environment: Record<string, string> = {}): Promise<GatewayBed> {
  const brokerUrl = requiredVariable('AMQP_URL');
  const prefix = `gateway-test-${randomBytes(6).toString('hex')}`;
  const keys = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const verifier = createIdentityVerifier(keys.publicKey, 'auth');
  const sessions = new Map<string, ResolveSessionResponse>();
  let resolutions = 0;
  let held = Promise.resolve();
  const notifications: NotificationsStandIn = { ids: [], messageId: 0, networks: [], isDown: false };
  const authRpc = await startAuthRpc(
    verifier,
    keys.publicKey,
    async (tokenHash) => {
      resolutions += 1;
      await held;
      return sessions.get(tokenHash.toString('hex'));
    },
    notifications,
  );
  const upstreams = Object.fromEntries(
    await Promise.all(UPSTREAMS.map(async (name) => [name, await startUpstream(name)] as const)),
  ) as Record<UpstreamName, Upstream>;
  const amqp = environment['AMQP_URL'] ?? brokerUrl;
  const publisher = busOf(brokerUrl, prefix);
  await publisher.start();
  const bus = busOf(amqp, prefix);

  const variables = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    AMQP_URL: amqp,
    AMQP_PREFIX: prefix,
    RATE_LIMIT_SCALE: '0',
    IDENTITY_PRIVATE_KEY: keys.privateKey,
    SERVICE_PRIVATE_KEY: keys.privateKey,
    AUTH_GRPC: `127.0.0.1:${authRpc.ports().grpc}`,
    MESSAGES_GRPC: `127.0.0.1:${authRpc.ports().grpc}`,
    ...Object.fromEntries(UPSTREAMS.map((name) => [`${name.toUpperCase()}_URL`, upstreams[name].url])),
    ...chosenShell(),
    ...environment,
  };
  const clock = createClock();
  const config = loadConfig(variables);
  const caller = createServiceCaller('gateway', config.servicePrivateKey);
  const auth = createAuthClient(config.authGrpc, caller, PATIENCE_MS);
  const gateway = await create(config, { bus, now: clock.now, auth });
  await gateway.start();
  // The gateway clears its caches on connecting to the broker.
  if (amqp === brokerUrl) await eventually(() => expect(bus.isConnected()).toBe(true));
  const origin = `http://127.0.0.1:${gateway.ports().http}`;

  return {
    origin,
    prefix,
    gateway,
    clock,
    upstreams,
    sessions,
    signIn: (session) => {
      const token = randomBytes(32).toString('base64url');
      sessions.set(hashSessionToken(token).toString('hex'), {
        userId: 7,
        isAdmin: false,
        isModerator: false,
        mustSetUpTotp: false,
        isLeaving: false,
        sessionId: randomUUID(),
        ...session,
      });
      return { token, headers: { cookie: `najwa_session=${token}` } };
    },
    resolutions: () => resolutions,
    holdResolutions() {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    authRpc,
    notifications,
    environment: variables,
    async publish(payload) {
      await eventually(() => expect(publisher.isConnected()).toBe(true));
      await publisher.publish([createEvent(randomUUID(), payload)]);
    },
    identityOf: (request) => verifier.verify(request?.headers[IDENTITY_HEADER] as string | undefined),
    fetch: (path, init) => fetch(`${origin}${path}`, { redirect: 'manual', ...init }),
    async stop() {
      await gateway.stop();
      await publisher.stop();
      await deleteTopology(brokerUrl, prefix, []);
      await authRpc.stop();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
    },
  };
}
