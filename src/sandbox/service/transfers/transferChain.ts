import type { ServiceProblem } from '../http/problem.ts'

/** Where Solana transfers are sent, and who pays for them. */
export type SolanaSponsor = {
  rpcUrl: string
  /** Secret key of the account that pays fees and rent: 64 bytes, seed and public key. */
  sponsorKey: Uint8Array
}

/** Where Stellar payments are sent, and who pays for them. */
export type StellarSponsors = {
  rpcUrl: string
  /** Secret keys (`S…`) of the accounts that pay fees. As many customers can pay at once as there are accounts. */
  sponsorKeys: readonly string[]
}

/** One chain, as the two routes work with it. */
export type TransferChain = {
  /** Addresses that pay fees. On Stellar each has one sequence number, so that several customers need several of them. */
  sponsors: readonly string[]
  /** USDC of a wallet in millionths, rounded down; 0 where it has no account for it. */
  usdcOf: (wallet: string) => Promise<bigint>
  /** Throws for a request that is wrong whatever the chain says. */
  checkRequest: (request: Omit<TransferRequest, 'sponsor'>) => void
  /** Builds what the customer is to sign. */
  prepare: (request: TransferRequest & Paid) => Promise<PreparedTransfer>
  /** Throws a 400 unless the text is a transaction of this chain. */
  check: (transaction: string) => void
  /** Whether it is the transaction that was prepared, signatures aside. */
  isPrepared: (transaction: string, facts: string) => boolean
  /** What is wrong with a transaction that is not the one that was prepared. */
  explain: (transaction: string, facts: string) => readonly Reason[]
  /** Inspects, co-signs, hands the result to `onSigned`, sends it, follows it to its end. */
  settle: (transfer: {
    facts: string
    transaction: string
    onSigned: (signed: SignedTransfer) => Promise<void>
  }) => Promise<Outcome>
  /** Sends again what was co-signed and written down, and follows it to its end. */
  resume: (transfer: { facts: string; raw: string; hash: string }) => Promise<Outcome>
}

/** A transfer with every signature. */
export type SignedTransfer = {
  raw: string
  hash: string
  /** Throws when the sponsor has paid for enough accounts: to be asked where what is counted is written down. Absent: it pays for none. */
  checkPaid?: ((paid: PaidCreations) => void) | undefined
}

/** How many token accounts the service has paid for. */
export type PaidCreations = {
  /** For this receiver, ever. */
  toDestination: number
  /** For this customer's transfers, within a day. */
  byWallet: number
  /** For everybody, within a day. */
  byService: number
}

/** Asked by a chain on which a sponsor pays for the receiver's account. */
export type Paid = { paidCreations: () => Promise<PaidCreations> }

type Reason = { code: string; message: string; field?: string | undefined }

export type TransferRequest = {
  wallet: string
  destination: string
  cents: number
  paymentId: string | undefined
  /** Stellar: a call of a merchant contract, which takes the amount and passes it to the destination. */
  call: { contract: string; functionName: string; args: readonly string[] } | undefined
  sponsor: string
}

export type PreparedTransfer = {
  /** Raw units of the chain's USDC. */
  amount: bigint
  /** What the chain's code has to be told again when the transaction comes back, as JSON. Never leaves the service. */
  facts: string
  /** Whether its price has the rent of a token account in it, which the sponsor pays. Default false. */
  paysRent?: boolean | undefined
  /** When it can no longer land, as far as it can be told beforehand. */
  expiresAt: Date
  /** What the customer's client gets. */
  answer: { transaction: string } & Record<string, unknown>
}

/** What became of a transfer. */
export type Outcome =
  | { status: 'settled' }
  /** Nothing was sent: it may be tried again. */
  | { status: 'refused'; problem: ServiceProblem }
  /** It never landed and never will. */
  | { status: 'expired'; problem: ServiceProblem }
  /** It landed, and failed there. */
  | { status: 'failed'; problem: ServiceProblem }
  /** Not known yet: sent again as it stands, at the next call. */
  | { status: 'unknown'; problem: ServiceProblem }
