import { type ComponentProps, createContext, type MouseEvent, use } from 'react';

export interface Navigation {
  pathname: string;
  navigate: (to: string) => void;
}

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === null) throw new Error('No provider.');
  return navigation;
}

const isForBrowser = ({ defaultPrevented, button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey;

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string;
}

export function Link({ to, onClick, ...rest }: Props) {
  const { navigate } = useNavigation();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (isForBrowser(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}
