import type { CommonSentenceKey } from './commonEnglish.ts'
import type { InspectionSentence, InspectionValue } from './inspection.ts'

/** The English sentences of Stellar alone. */
export const stellarSentences = {
  'account.yours': 'your account',
  'account.fund': 'Creates the account {to} and sends {amount} to it.',
  'account.merge': 'Closes your account and sends everything in it to {to}.',
  'account.signer': 'Gives {owner} control of {account}.',
  'account.hashSigner': 'Gives control of {account} to anyone who knows a certain secret.',
  'account.hiddenSigner': 'Lets a transaction that is not shown be executed for {account}.',
  'account.noSigner': 'Removes {owner} from the signers of {account}.',
  'account.options': 'Changes who controls {account}.',
  'account.domain': 'Sets the home domain of {account} to {text}.',
  'account.flags': 'Changes the rules for assets that {account} issues.',
  'account.inflation': 'Sets the inflation destination of {account} to {to}.',
  'account.unchanged': 'Changes nothing in {account}.',
  'account.stuck': 'Makes {account} unusable forever.',
  'account.sequence':
    'Moves {account} to the sequence number {number}. Transactions with lower numbers become invalid.',
  'data.set': 'Stores the entry {name} in {account}.',
  'data.remove': 'Removes the entry {name} from {account}.',
  'path.send': 'Sends {amount} to {to}, who receives at least {received}.',
  'path.receive': 'Sends {received} to {to} and pays at most {amount} for it.',
  'swap.send': 'Swaps {amount} for at least {received}.',
  'swap.receive': 'Swaps at most {amount} for {received}.',
  offer: 'Offers {amount} for {received}.',
  'offer.change': 'Changes the offer {id}: it offers {amount} for {received}.',
  'offer.cancel': 'Cancels the offer {id}.',
  trust: 'Lets {account} hold {asset} of {issuer}.',
  'trust.remove': 'Stops {account} from holding {asset} of {issuer}.',
  'trust.pool': 'Lets {account} hold shares of a liquidity pool.',
  'trust.noPool': 'Stops {account} from holding shares of a liquidity pool.',
  'trust.change': 'Changes whether {account} may hold and use {asset}.',
  'claimable.create': 'Sets aside {amount} for {to} to claim.',
  'claimable.claim': 'Claims the balance {id}, which was set aside for {account}.',
  'claimable.clawback': 'Takes back the balance {id}, which was set aside for others.',
  clawback: 'Takes {amount} back from {from}.',
  'pool.deposit': 'Deposits up to {first} and up to {second} of the two assets of the liquidity pool {pool}.',
  'pool.withdraw': 'Withdraws at least {first} and {second} of the two assets of the liquidity pool {pool}.',
  'sponsor.begin': 'Pays the reserves for what is created for {to}.',
  'sponsor.other': 'Has {account} pay the reserves for what is created for {to}.',
  'sponsor.end': 'Ends the payment of reserves by a sponsor.',
  'sponsor.revoke': 'Changes who pays a reserve.',
  'ledger.extend': 'Pays to keep contract data for longer.',
  'ledger.restore': 'Pays to restore contract data.',
  'contract.upload': 'Uploads the code of a contract.',
  'call.contract': 'Calls {function} of the contract {contract}. Its effect is unknown.',
  operation: 'Performs the operation {name}.',
} as const

/** A sentence of Stellar, with its English text unless all chains have it. */
export function stellarSentence(
  key: keyof typeof stellarSentences | CommonSentenceKey,
  values: Readonly<Record<string, InspectionValue>> = {},
): InspectionSentence {
  const texts: Readonly<Partial<Record<string, string>>> = stellarSentences
  return { key, values, english: texts[key] }
}
