/** A key in memory: a signer as it is, and `Keypair.fromSecretKey(person.secretKey)` for web3.js. */
export type SolanaPerson = {
  address: string
  publicKey: { toBase58(): string }
  secretKey: Uint8Array
}
