import { beforeAll, describe, expect, test } from '@jest/globals';
import { credentials, makeClientConstructor, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { AuthServiceService } from '@najwa/proto/auth';
import { ChatbotServiceService } from '@najwa/proto/chatbot';
import { MediaServiceService } from '@najwa/proto/media';
import { MessagesServiceService } from '@najwa/proto/messages';
import { TrackingServiceService } from '@najwa/proto/tracking';
import { sharedBed, type Bed } from '@najwa/testing';

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

/** With an empty request. @returns the status */
function call(
  service: 'auth' | 'media' | 'tracking' | 'chatbot' | 'messages',
  path: string,
  token?: string,
): Promise<status> {
  const Client = makeClientConstructor({}, 'Raw');
  const client = new Client(bed.grpc(service), credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('najwa-service-token', token);
  const empty = (): Buffer => Buffer.alloc(0);
  return new Promise<status>((resolve) => {
    const answered = (error: ServiceError | null): void => {
      client.close();
      resolve(error?.code ?? status.OK);
    };
    client.makeUnaryRequest(path, empty, empty, {}, metadata, answered);
  });
}

const methods = (
  [
    ['auth', AuthServiceService],
    ['media', MediaServiceService],
    ['tracking', TrackingServiceService],
    ['chatbot', ChatbotServiceService],
    ['messages', MessagesServiceService],
  ] as const
).flatMap(([service, definition]) =>
  Object.values<{ path: string }>(definition).map(({ path }) => [path, service] as const),
);

describe.each(methods)('%s', (path, service) => {
  // Threat model: grpc-1.
  test('a gRPC method is refused without a token and with a token for another service', async () => {
    expect(await call(service, path)).toBe(status.UNAUTHENTICATED);
    const elsewhere = await bed.callerOf('admin').tokenFor('najwa.other.v1.OtherService');
    expect(await call(service, path, elsewhere)).toBe(status.UNAUTHENTICATED);
  });

  // Threat model: grpc-2.
  test('a gRPC method is refused to services that are not in the access table', async () => {
    const audience = path.split('/')[1] ?? '';
    expect(await call(service, path, await bed.callerOf('media').tokenFor(audience))).toBe(status.PERMISSION_DENIED);
  });
});

// Threat model: grpc-2.
test('only the admin service creates administrators', async () => {
  const { path } = AuthServiceService.createAdmin;
  const statusFor = async (caller: 'admin' | 'gateway' | 'messages' | 'chatbot'): Promise<status> =>
    call('auth', path, await bed.callerOf(caller).tokenFor('najwa.auth.v1.AuthService'));
  for (const caller of ['gateway', 'messages', 'chatbot'] as const)
    expect(await statusFor(caller)).toBe(status.PERMISSION_DENIED);
  // An allowed caller gets the validation error of the empty request.
  expect(await statusFor('admin')).toBe(status.INVALID_ARGUMENT);
});
