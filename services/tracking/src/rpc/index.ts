import type { UnaryHandlers } from '@najwa/common';
import type { TrackingServiceService } from '@najwa/proto/tracking';
import type { TrackingContext } from '../context.js';
import { listTrackingMethod } from './list-tracking.js';

export function rpc(context: TrackingContext): UnaryHandlers<TrackingServiceService> {
  return { listTracking: listTrackingMethod(context) };
}
