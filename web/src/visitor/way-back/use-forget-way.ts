import { useToast } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { forgetWayBack } from '../../lib/kept-ways.js';

const ignore = () => undefined;

export function useForgetWayBack(): (path: string) => void {
  const { t } = useTranslation();
  const toast = useToast();
  return (path) => {
    forgetWayBack(path);
    import('../../lib/push-change.js')
      .then(({ endReplySubscriptions }) => endReplySubscriptions((reply) => reply.path === path))
      .catch(ignore);
    toast({ variant: 'success', title: t('wayBack.list.forgotten') });
  };
}
