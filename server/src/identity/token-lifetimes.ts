const minute = 60
const day = 24 * 60 * minute

/** The lifetime of everything that the authorisation server issues; seconds. */
export const lifetimes = {
  accessToken: 10 * minute,
  idToken: 10 * minute,
  authorizationCode: minute,
  deviceCode: 10 * minute,
  interaction: 60 * minute,
  session: 14 * day,
  /** From leaving for the sign-in page to coming back from it. */
  webSignIn: 10 * minute,
  /** A browser must sign in again after two weeks without use, and after a quarter of a year in any case. */
  unusedWebSession: 14 * day,
  webSession: 90 * day,
  /** A native client must sign in again after a month without use, and after a year in any case. */
  unusedRefreshToken: 30 * day,
  grant: 365 * day,
} as const

/**
 * The longest time for which a signature may still be verified; seconds. An ID token is accepted after its expiry: as a
 * hint at sign-out, for as long as the session in which it was issued.
 */
export const maxSignatureLifetime = Math.max(lifetimes.accessToken, lifetimes.idToken, lifetimes.session)
