import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { ChatbotServiceClient } from '@najwa/proto/chatbot';

export class ChatbotClient {
  /** Newest first. */
  readonly listOwnConversations;
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(ChatbotServiceClient, address, caller);
    this.listOwnConversations = unary(this.#client.listOwnConversations.bind(this.#client));
  }

  close(): void {
    this.#client.close();
  }
}
