export { useGetNotificationSettingsQuery, useChangeNotificationSettingsMutation } from './api.js';
export { NotificationBell } from './NotificationBell.js';
