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

export interface MessagesClient {
  listReports(request: ListReportsRequest): Promise<ListReportsResponse>;
  listActions(request: ListActionsRequest): Promise<ListActionsResponse>;
  /** Omits those of removed reports. */
  findAffairs(request: FindAffairsRequest): Promise<Affair[]>;
  /** @param readerId whose assigned reports are counted as well */
  countReports(readerId: number): Promise<CountReportsResponse>;
  /** @throws {AppError} `report_not_found` */
  openReport(id: number, readerId: number): Promise<Report>;
  /** @throws {AppError} `report_not_found` */
  openConversation(request: OpenConversationRequest): Promise<Turn[]>;
  /** @throws {AppError} `report_not_found`, `already_decided`, `sender_unknown`, `too_many_blocks` */
  actOnReport(request: ActOnReportRequest): Promise<Action>;
  /** @throws {AppError} `report_not_found`, `own_action`, `already_decided`, `undo_expired` */
  undoAction(request: UndoActionRequest): Promise<Action>;
  close(): void;
}

/** Undoing a suspension delivers all held messages. */
const UNDO_DEADLINE_MS = 60_000;

export function createMessagesClient(address: string, caller: ServiceCaller): MessagesClient {
  const client = createGrpcClient(MessagesServiceClient, address, caller);
  const findAffairs = unary(client.findAffairs.bind(client));
  const countReports = unary(client.countReports.bind(client));
  const openReport = unary(client.openReport.bind(client));
  const openConversation = unary(client.openConversation.bind(client));
  const actOnReport = unary(client.actOnReport.bind(client));
  const undoAction = unary(client.undoAction.bind(client), UNDO_DEADLINE_MS);
  return {
    listReports: unary(client.listReports.bind(client)),
    listActions: unary(client.listActions.bind(client)),
    findAffairs: async (request) => (await findAffairs(request)).affairs,
    countReports: (readerId) => countReports({ readerId }),
    async openReport(id, readerId) {
      const { report } = await openReport({ id, readerId });
      if (report === undefined) throw new Error('The answer has no report.');
      return report;
    },
    openConversation: async (request) => (await openConversation(request)).turns,
    async actOnReport(request) {
      const { action } = await actOnReport(request);
      if (action === undefined) throw new Error('The answer has no action.');
      return action;
    },
    async undoAction(request) {
      const { action } = await undoAction(request);
      if (action === undefined) throw new Error('The answer has no action.');
      return action;
    },
    close: () => client.close(),
  };
}
