import { Account, Keypair, Operation, StrKey, TransactionBuilder } from '../../../../redeemkit/stellar/sdk.ts'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import type { Ledger } from '../ledger/createLedger.ts'

/** XLM of a created account, and the stroops its payer needs for that. */
const givenXlm = '10000'
const payerStroops = 110_000_000_000n

/** Creates an account with a transaction, as the test network's friendbot does. Answers once it is applied. */
export async function friendbot(ledger: Ledger, address: string): Promise<{ status: number; body: object }> {
  const refuse = (detail: string) => ({ status: 400, body: { detail, simulation: true } })
  if (!StrKey.isValidEd25519PublicKey(address)) return refuse('The parameter addr is not an address.')
  if (ledger.readEntry(accountLedgerKey(address)) !== undefined) return refuse('createAccountAlreadyExist')
  // A new payer each time, because an account has at most one pending transaction.
  const payer = Keypair.random()
  ledger.fund({ address: payer.publicKey(), xlm: payerStroops })
  const entry = ledger.readEntry(accountLedgerKey(payer.publicKey()))?.entry
  const sequence = entry?.account().seqNum().toString() ?? '0'
  const transaction = new TransactionBuilder(new Account(payer.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: ledger.networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  })
    .addOperation(Operation.createAccount({ destination: address, startingBalance: givenXlm }))
    .build()
  transaction.sign(payer)
  const { hash } = ledger.submit(transaction.toXDR())
  while (ledger.isPending(hash)) await ledger.nextLedger()
  const applied = ledger.find(hash)
  if (applied === undefined) return refuse('The transaction was not applied.')
  const { envelopeXdr, resultXdr, resultMetaXdr, isSuccessful } = applied
  return {
    status: isSuccessful ? 200 : 400,
    body: {
      hash,
      successful: isSuccessful,
      envelope_xdr: envelopeXdr,
      result_xdr: resultXdr,
      result_meta_xdr: resultMetaXdr,
    },
  }
}
