export { forgetArrived, forgetChanged, NO_REFETCH, noteArrived, useLive, useLiveWayBack } from './live.js';
