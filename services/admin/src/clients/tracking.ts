import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { TrackingServiceClient, type ListTrackingRequest, type ListTrackingResponse } from '@najwa/proto/tracking';

export interface TrackingClient {
  listTracking(request: ListTrackingRequest): Promise<ListTrackingResponse>;
  close(): void;
}

export function createTrackingClient(address: string, caller: ServiceCaller): TrackingClient {
  const client = createGrpcClient(TrackingServiceClient, address, caller);
  return { listTracking: unary(client.listTracking.bind(client)), close: () => client.close() };
}
