import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import {
  ChatbotServiceClient,
  type ListConversationsRequest,
  type ListConversationsResponse,
} from '@najwa/proto/chatbot';

/** May be many. */
const DELETE_ALL_DEADLINE_MS = 60_000;

export class ChatbotClient {
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(ChatbotServiceClient, address, caller);
  }

  listConversations(request: ListConversationsRequest): Promise<ListConversationsResponse> {
    return unary(this.#client.listConversations.bind(this.#client))(request);
  }
  /** @throws {AppError} `not_found` */
  async deleteConversation(id: number): Promise<void> {
    await unary(this.#client.deleteConversation.bind(this.#client))({ id });
  }
  async deleteAllConversations(): Promise<number> {
    const deleteAll = unary(this.#client.deleteAllConversations.bind(this.#client), DELETE_ALL_DEADLINE_MS);
    return (await deleteAll({})).deleted;
  }
  close(): void {
    this.#client.close();
  }
}
