/** What a request can turn out to be, and what that is. One row for each `Inspection.kind`. */
export const inspectionKinds = {
  creditPermit: 'A credit permit (EIP-712 CreditsAuthorization).',
  creditPermitCancel: 'A cancellation of a credit permit.',
  usdcAuthorization: 'A USDC authorization (EIP-3009 transfer or receive).',
  usdcAuthorizationCancel: 'A cancellation of a USDC authorization.',
  signIn: 'A sign-in message or challenge.',
  text: 'A text of no known form.',
  tempoTransaction: 'A transaction of Tempo.',
  solanaTransaction: 'A transaction of Solana.',
  solanaUsdcTransfer: 'A transaction of Solana that was held against a USDC transfer.',
  stellarTransaction: 'A transaction of Stellar.',
  stellarAuthorization: 'An authorization of a Stellar contract call.',
  unknown: 'A request of no known form, or one that cannot be read.',
} as const

export type InspectionKind = keyof typeof inspectionKinds
