export { type ReceivingSettings, useGetReceivingQuery, useUpdateReceivingMutation } from './api.js';
