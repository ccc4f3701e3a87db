/** What the relayer has just done with a transaction. */
export type RelayerStep = 'journalled' | 'broadcast'
