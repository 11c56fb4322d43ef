import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import {
  ChatbotServiceClient,
  type ListOwnConversationsRequest,
  type ListOwnConversationsResponse,
} from '@najwa/proto/chatbot';

export interface ChatbotClient {
  /** Newest first. */
  listOwnConversations(request: ListOwnConversationsRequest): Promise<ListOwnConversationsResponse>;
  close(): void;
}

export function createChatbotClient(address: string, caller: ServiceCaller): ChatbotClient {
  const client = createGrpcClient(ChatbotServiceClient, address, caller);
  return {
    listOwnConversations: unary(client.listOwnConversations.bind(client)),
    close: () => client.close(),
  };
}
