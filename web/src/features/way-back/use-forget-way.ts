import { useToast } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { forgetWay } from '../../lib/kept-ways.js';

const ignore = () => undefined;

export function useForgetWay(): (path: string) => void {
  const { t } = useTranslation();
  const toast = useToast();
  return (path) => {
    forgetWay(path);
    import('../../lib/push-change.js')
      .then(({ endReplySubscriptions }) => endReplySubscriptions((reply) => reply.path === path))
      .catch(ignore);
    toast({ variant: 'success', title: t('wayBack.list.forgotten') });
  };
}
