import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import {
  ChatbotServiceClient,
  type ListConversationsRequest,
  type ListConversationsResponse,
} from '@najwa/proto/chatbot';

export interface ChatbotClient {
  listConversations(request: ListConversationsRequest): Promise<ListConversationsResponse>;
  /** @throws {AppError} `not_found` */
  deleteConversation(id: number): Promise<void>;
  deleteAllConversations(): Promise<number>;
  close(): void;
}

/** May be many. */
const DELETE_ALL_DEADLINE_MS = 60_000;

export function createChatbotClient(address: string, caller: ServiceCaller): ChatbotClient {
  const client = createGrpcClient(ChatbotServiceClient, address, caller);
  const deleteConversation = unary(client.deleteConversation.bind(client));
  const deleteAllConversations = unary(client.deleteAllConversations.bind(client), DELETE_ALL_DEADLINE_MS);
  return {
    listConversations: unary(client.listConversations.bind(client)),
    async deleteConversation(id) {
      await deleteConversation({ id });
    },
    async deleteAllConversations() {
      const { deleted } = await deleteAllConversations({});
      return deleted;
    },
    close: () => client.close(),
  };
}
