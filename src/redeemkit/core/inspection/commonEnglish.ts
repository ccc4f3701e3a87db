import type { InspectionKind } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import type { solanaSentences } from './solanaSentences.ts'
import type { stellarSentences } from './stellarSentences.ts'

/**
 * The English texts of every chain. Sentences of one chain alone are in `solanaSentences.ts` and `stellarSentences.ts`, and each carries its
 * English text: so an application loads those of its chain. The message of a finding is English already.
 */
export const commonEnglish = {
  locale: 'en-US',
  sentences: {
    plain: '{text}',
    finding: '{finding}',
    otherPurchase: 'Pays for a different purchase than the page describes.',

    // Purchases with credits
    'buy.both':
      'Buys {goods} at {shop} for {price}: {credits} from credits, {usdc} from USDC, fee at most {fee}.',
    'buy.credits': 'Buys {goods} at {shop} for {price}: {credits} from credits, fee at most {fee}.',
    'buy.usdc': 'Buys {goods} at {shop} for {price}: {usdc} from USDC, fee of at most {fee} from credits.',
    'goods.order': 'order {order}',
    'goods.nft': 'NFT {id}',
    'goods.any': 'goods',
    'permit.unseen':
      'Lets {contract} spend up to {amount} of the credits {balance}, for one purchase that is not shown.',
    'permit.trusted':
      'Lets {contract} spend up to {amount} of the credits {balance}, for purchases that the payment service chooses.',
    'permit.untrusted': 'Lets {contract}, a contract you do not trust, spend up to {amount} of credits.',
    'permit.fee': 'Authorizes {amount} for a {price} purchase. The extra {extra} would be the network fee.',
    'permit.feeOfPart':
      'Authorizes {amount} for a {price} purchase, {credits} of it from credits. The extra {extra} would be the network fee.',
    'permit.endless': 'Never expires. A permit for this service lasts at most one hour.',
    'permit.long': 'Expires in {left}. A permit for this service lasts at most one hour.',
    'permit.less': 'Authorizes less than the purchase costs.',
    'cancel.permit': 'Cancels a credit permit. This cannot be undone.',

    // USDC authorizations
    'usdc.send': 'Sends {amount} to {to}.',
    'usdc.part': 'Sends {amount} to {to}, as part of {price} for {goods} at {shop}.',
    'usdc.stranger': 'Sends {amount} to {to}, which is not the shop you are paying.',
    'usdc.unexpected': 'Sends {amount} to {to}, which is not a receiver you trust.',
    'usdc.otherAmount': 'Sends a different amount of USDC than the purchase needs.',
    'usdc.endless': 'Never expires. The USDC part of a redeem lasts at most one hour.',
    'usdc.long': 'Expires in {left}. The USDC part of a redeem lasts at most one hour.',
    'cancel.usdc': 'Cancels a USDC authorization. This cannot be undone.',
    'executed.receiver': 'the receiver',
    'executed.anyone': 'anyone',

    // Rights to spend tokens
    allow: 'Lets {spender} spend {amount}.',
    'allow.noEnd': 'Lets {spender} spend {amount}, with no time limit.',
    'allow.until': 'Lets {spender} spend {amount} until {end}.',
    'allow.upTo': 'Lets {spender} spend up to {amount}.',
    'allow.upTo.noEnd': 'Lets {spender} spend up to {amount}, with no time limit.',
    'allow.upTo.until': 'Lets {spender} spend up to {amount} until {end}.',
    'take.noEnd': 'Lets {spender} take up to {amount} once, with no time limit.',
    'take.until': 'Lets {spender} take up to {amount} once, until {end}.',
    'allow.nft': 'Lets {spender} take NFT {id} of the contract {contract}.',
    'allow.nfts': 'Lets {spender} take all of your NFTs of the contract {contract}.',
    'revoke.usdc': 'Revokes the right of {spender} to spend your USDC.',
    'revoke.token': 'Revokes the right of {spender} to spend your tokens of the contract {contract}.',
    'revoke.nfts': 'Revokes the right of {spender} to move your NFTs of the contract {contract}.',

    // Transactions
    send: 'Sends {amount} to {to}.',
    sendFrom: 'Sends {amount} from {from} to {to}.',
    'send.nft': 'Sends NFT {id} of the contract {contract} to {to}.',
    'sendFrom.nft': 'Sends NFT {id} of the contract {contract} from {from} to {to}.',
    'note.nft': 'If this token is an NFT, the amount is its ID.',
    'note.cut': 'The request has more fields than are shown here.',
    'chain.any': 'any chain: the request names none',
    calls: 'Makes {count} calls.',
    create: 'Creates a new contract. What it does is unknown.',
    'call.unknown': 'Calls an unknown function of {contract} ({selector}).',
    'call.malformed': 'Calls {contract} with malformed arguments.',
    'call.delegate': 'Runs the code of {contract} as your account, which can move everything in it.',

    // Solana and Stellar
    empty: 'Does nothing.',
    'effect.andOne': '{effect} It has one more effect, listed below.',
    'effect.andMore': '{effect} It has {count} more effects, listed below.',
    'account.closeOther': 'Closes the account {account} and sends what is in it to {to}.',
    burn: 'Destroys {amount}.',
    memo: 'Adds the memo {text}.',
    swap: 'Swaps tokens through {program}. The amounts cannot be read here.',
    authorize: 'For {account}: {call}',

    // Texts and others
    signIn: 'Signs in to {site} as {account}.',
    'signIn.challenge': 'Signs in to {site} as {account}, by a transaction that can never execute.',
    text: 'Signs the text {text}.',
    'unknown.typedData': 'Signs data of the unknown type {type}.',
    'unknown.typedDataFor': 'Signs data of the unknown type {type} for {name}.',
    'unknown.request': 'Makes an unknown request: {method}.',
  },
  labels: {
    field: 'Field',
    problem: 'Problem',
    request: 'Request',
    order: 'Order',
    receiver: 'Receiver',
    payer: 'Payer',
    spender: 'Spender',
    called: 'Called contract',
    function: 'Function',
    nftContract: 'NFT contract',
    nft: 'NFT',
    otherChain: 'Delivered on',
    price: 'Price',
    credits: 'From credits',
    usdc: 'From USDC',
    fee: 'Network fee, at most',
    amount: 'Amount',
    most: 'Amount, at most',
    balance: 'Credit balance',
    coin: 'Also sends',
    token: 'Token',
    note: 'Note',
    call: 'Call',
    effect: 'What it does',
    contract: 'Contract',
    chain: 'Chain',
    account: 'Account',
    wallet: 'Wallet',
    nonce: 'Nonce',
    program: 'Program',
    feePayer: 'Fee payer',
    memo: 'Memo',
    signer: 'Signer',
    through: 'Through',
    limit: 'Limit',
    ledger: 'Valid until ledger',
    user: 'User',
    executed: 'Executed by',
    until: 'Valid until',
    submitUntil: 'To be submitted until',
    site: 'Site',
    page: 'URL',
    statement: 'Statement',
    resource: 'Resource',
    text: 'Text',
  },
  words: {
    all: 'all of your {token}',
    allOfToken: 'all of your tokens of the contract {token}',
    rawUnits: '{amount} raw units of the token {token}',
    ofToken: '{amount} of the token {token}',
    and: ' and ',
    noEnd: 'no time limit',
    over: 'expired',
    in: 'in {duration}',
    chain: 'chain {id}',
    walletChain: 'the chain of your wallet',
    more: 'and {count} more lines',
  },
  kinds: {
    creditPermit: 'Credit permit',
    creditPermitCancel: 'Cancellation of a credit permit',
    usdcAuthorization: 'USDC authorization',
    usdcAuthorizationCancel: 'Cancellation of a USDC authorization',
    tokenPermit: 'Permit to spend tokens',
    transaction: 'Transaction',
    calls: 'Several calls',
    signIn: 'Sign-in',
    text: 'Text',
    tempoTransaction: 'Tempo transaction',
    solanaTransaction: 'Solana transaction',
    solanaUsdcTransfer: 'USDC transfer on Solana',
    stellarTransaction: 'Stellar transaction',
    stellarAuthorization: 'Stellar contract authorization',
    unknown: 'Unknown request',
  },
  findings: {},
} as const

/** Key of a sentence that is not of one chain alone. */
export type CommonSentenceKey = keyof typeof commonEnglish.sentences
/** Key of a sentence. */
export type SentenceKey = CommonSentenceKey | keyof typeof solanaSentences | keyof typeof stellarSentences
/** Key of a line's label. */
export type LabelKey = keyof typeof commonEnglish.labels

/** All texts of a language, with the placeholders of the English ones, and its locale (BCP 47). */
export type InspectionTexts = {
  locale: string
  sentences: Record<SentenceKey, string>
  labels: Record<LabelKey, string>
  words: Record<keyof typeof commonEnglish.words, string>
  kinds: Record<InspectionKind, string>
  /** Findings whose message is in this language. The others are in English. */
  findings: Partial<Record<FindingCode, string>>
}
