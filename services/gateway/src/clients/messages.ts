import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import {
  MessagesServiceClient,
  type FollowNotificationsRequest,
  type FollowNotificationsResponse,
} from '@najwa/proto/messages';

export interface MessagesClient {
  followNotifications(request: FollowNotificationsRequest): Promise<FollowNotificationsResponse>;
  /**
   * @param network as limits count it
   * @returns the message's id. @throws {AppError} `message_not_found`, `too_many_requests`
   */
  followWayBack(token: string, network: string): Promise<number>;
  close(): void;
}

export function createMessagesClient(address: string, caller: ServiceCaller): MessagesClient {
  const client = createGrpcClient(MessagesServiceClient, address, caller);
  const followWayBack = unary(client.followWayBack.bind(client));
  return {
    followNotifications: unary(client.followNotifications.bind(client)),
    followWayBack: async (token, network) => (await followWayBack({ token, network })).messageId,
    close: () => client.close(),
  };
}
