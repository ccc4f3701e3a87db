/** Whether a nonce is one of EIP-4361: at least 8 letters and digits. Some sites use a UUID, or a short number. */
export const isStandardNonce = (nonce: string) => /^[A-Za-z0-9]{8,}$/.test(nonce)
