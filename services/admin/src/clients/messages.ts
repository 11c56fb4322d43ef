import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import {
  MessagesServiceClient,
  type Action,
  type ActOnReportRequest,
  type Affair,
  type CountReportsResponse,
  type FindAffairsRequest,
  type ListActionsRequest,
  type ListActionsResponse,
  type ListReportsRequest,
  type ListReportsResponse,
  type OpenConversationRequest,
  type Report,
  type Turn,
  type UndoActionRequest,
} from '@najwa/proto/messages';

/** Undoing a suspension delivers all held messages. */
const UNDO_DEADLINE_MS = 60_000;

function requireAction({ action }: { action?: Action | undefined }): Action {
  if (action === undefined) throw new Error('The answer has no action.');
  return action;
}

export class MessagesClient {
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(MessagesServiceClient, address, caller);
  }

  listReports(request: ListReportsRequest): Promise<ListReportsResponse> {
    return unary(this.#client.listReports.bind(this.#client))(request);
  }
  listActions(request: ListActionsRequest): Promise<ListActionsResponse> {
    return unary(this.#client.listActions.bind(this.#client))(request);
  }
  /** Omits those of removed reports. */
  async findAffairs(request: FindAffairsRequest): Promise<Affair[]> {
    return (await unary(this.#client.findAffairs.bind(this.#client))(request)).affairs;
  }
  /** @param readerId whose assigned reports are counted as well */
  countReports(readerId: number): Promise<CountReportsResponse> {
    return unary(this.#client.countReports.bind(this.#client))({ readerId });
  }
  /** @throws {AppError} `report_not_found` */
  async openReport(id: number, readerId: number): Promise<Report> {
    const { report } = await unary(this.#client.openReport.bind(this.#client))({ id, readerId });
    if (report === undefined) throw new Error('The answer has no report.');
    return report;
  }
  /** @throws {AppError} `report_not_found` */
  async openConversation(request: OpenConversationRequest): Promise<Turn[]> {
    return (await unary(this.#client.openConversation.bind(this.#client))(request)).turns;
  }
  /** @throws {AppError} `report_not_found`, `already_decided`, `sender_unknown`, `too_many_blocks` */
  async actOnReport(request: ActOnReportRequest): Promise<Action> {
    return requireAction(await unary(this.#client.actOnReport.bind(this.#client))(request));
  }
  /** @throws {AppError} `report_not_found`, `own_action`, `already_decided`, `undo_expired` */
  async undoAction(request: UndoActionRequest): Promise<Action> {
    return requireAction(await unary(this.#client.undoAction.bind(this.#client), UNDO_DEADLINE_MS)(request));
  }
  close(): void {
    this.#client.close();
  }
}
