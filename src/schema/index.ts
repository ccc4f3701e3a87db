export {
  type AuthMessageResponse,
  authMessageResponse,
  type SessionKeyBody,
  type SessionKeyResponse,
  sessionKeyBody,
  sessionKeyResponse,
} from './auth.ts'
export { type BalancesResponse, balancesResponse } from './balances.ts'
export { type Blockchain, blockchain } from './blockchain.ts'
export { chargebackProtectionData } from './cartItem.ts'
export {
  type ContractAddressQuery,
  type ContractAddressResponse,
  contractAddressQuery,
  contractAddressResponse,
} from './contractAddress.ts'
export {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
  creditsAuthMsgResponse,
} from './creditsAuthMsg.ts'
export { type Currency, currencies, currency } from './currency.ts'
export { type ErrorBody, errorBody } from './errorBody.ts'
export { type JobStatus, jobStatus } from './jobStatus.ts'
export { loose } from './loose.ts'
export { type MintBody, type MintResponse, mintBody, mintResponse } from './mint.ts'
export { InvalidRecordError, parseRecord, type RecordIssue } from './parseRecord.ts'
export { type ProgramBody, programBody } from './program.ts'
export {
  type SendGaslessTxBody,
  type SendGaslessTxResponse,
  sendGaslessTxBody,
  sendGaslessTxResponse,
} from './sendGaslessTx.ts'
export { type SignedMessages, signedMessages } from './signedMessages.ts'
export {
  type Cents,
  type CurrencyCents,
  cents,
  currencyCents,
  type Subtotal,
  subtotal,
  type TokenSubtotal,
  tokenSubtotal,
} from './subtotal.ts'
export {
  type Decent,
  decent,
  type KnownTokenId,
  knownTokenId,
  type Normal,
  normal,
  type Returned,
  returned,
  type SafeMint,
  safeMint,
  type Token,
  type TransactionData,
  token,
  transactionData,
} from './transactionData.ts'
export { type TransactionDataKind, transactionDataKind } from './transactionDataKind.ts'
export {
  type UsdcAuthorizationBody,
  type UsdcAuthorizationMessage,
  type UsdcAuthorizationMessageData,
  type UsdcAuthorizationV1,
  type UsdcAuthorizationV2,
  usdcAuthorizationBody,
  usdcAuthorizationMessage,
  usdcAuthorizationMessageData,
  usdcAuthorizationV1,
  usdcAuthorizationV2,
} from './usdcAuthorization.ts'
export { bytes32, emptyAnswer, evmAddress, type Hex, hexData, selector, uintText } from './values.ts'
