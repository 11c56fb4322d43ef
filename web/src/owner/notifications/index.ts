export { useChangeNotificationSettingsMutation, useGetNotificationSettingsQuery } from './api.js';
export { NotificationBell } from './NotificationBell.js';
