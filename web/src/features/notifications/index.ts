export { useGetNotificationSettingsQuery, useUpdateNotificationSettingsMutation } from './api.js';
export { NotificationBell } from './NotificationBell.js';
