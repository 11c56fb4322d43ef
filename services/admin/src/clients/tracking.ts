import { channelCredentials, channelOptions, unary } from '@najwa/common';
import { TrackingServiceClient, type ListTrackingRequest, type ListTrackingResponse } from '@najwa/proto/tracking';

export interface TrackingClient {
  listTracking(request: ListTrackingRequest): Promise<ListTrackingResponse>;
  close(): void;
}

export function createTrackingClient(address: string): TrackingClient {
  const client = new TrackingServiceClient(address, channelCredentials, channelOptions);
  return { listTracking: unary(client.listTracking.bind(client)), close: () => client.close() };
}
