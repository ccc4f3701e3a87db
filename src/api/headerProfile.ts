/** Names of the service's headers for one deployment (decisions, section 1). */
export type HeaderProfile = ReturnType<typeof headerProfile>

/**
 * The header profile: the one table of header names, built from a prefix.
 *
 * @param prefix default `x-svc-`; a deployment under another name has another one
 */
export function headerProfile(prefix = 'x-svc-') {
  return {
    sessionKey: `${prefix}auth-session-key`,
    wallet: `${prefix}auth-wallet`,
    blockchain: `${prefix}auth-blockchain`,
    userId: `${prefix}auth-user-id`,
    merchantId: `${prefix}auth-merchant-id`,
    signedMessage: `${prefix}auth-signed-message`,
    clientIp: `${prefix}client-ip`,
    deviceId: 'x-device-id',
  }
}
