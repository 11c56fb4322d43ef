import { styled } from 'styled-components';

/** The ornaments of what is published. The gateway's page asks for it early. */
export const Carpet = styled.img.attrs<{ $of: string }>(({ $of }) => ({
  src: `/carpet/${$of}.svg`,
  loading: 'lazy',
  alt: '',
}))`
  inline-size: 100%;
  aspect-ratio: 629 / 125;
`;
