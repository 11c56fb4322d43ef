import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { wasLeft } from '../../shared/use-scroll-restoration.js';
import { useDocumentTitle, useTranslation } from '../../i18n/index.js';
import { useCurrentUser } from '../../shared/session/index.js';
import { CallToAction } from './CallToAction.js';
import { Features } from './Features.js';
import { Hero } from './Hero.js';
import { HowItWorks } from './HowItWorks.js';
import { Testimonials } from './Testimonials.js';

function show(): void {
  delete document.documentElement.dataset['waiting'];
}

export function HomePage() {
  const { t } = useTranslation();
  const { user, loading } = useCurrentUser();
  useDocumentTitle(t('home.title'));

  useEffect(() => {
    if (!loading && user === null) show();
  }, [loading, user]);
  // For signed-in users another page takes its place.
  useEffect(() => show, []);

  return user === null ? <Landing /> : <Navigate to="/profile" replace />;
}

function Landing() {
  const location = useLocation();
  const { hash } = location;

  // Focuses the section in the hash, also on load.
  useEffect(() => {
    const section = hash === '' ? null : document.getElementById(hash.slice(1));
    if (!wasLeft(location)) section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }, [hash, location]);

  return (
    <>
      <Hero />
      <Features />
      <HowItWorks />
      <Testimonials />
      <CallToAction />
    </>
  );
}
