export {
  InvalidOptionError,
  InvalidSignatureError,
  InvalidTransactionError,
} from '../core/errors/inputErrors.ts'
export { RefusedTransactionError } from '../core/errors/transactionErrors.ts'
export {
  UserRejectedError,
  WalletFailedError,
  WalletRequestPendingError,
  WrongSignatureError,
} from '../core/errors/walletErrors.ts'
export { tempoChainIds } from '../core/evmNetworks.ts'
export { formatInspection } from '../core/inspection/formatInspection.ts'
export { isTempoChain } from '../evm/networks.ts'
export type { TempoMovement } from './calls/knownCalls.ts'
export { inspect } from './inspect.ts'
export { type TempoToken, tempoContracts, tempoTokens } from './network.ts'
export { type ClientData, InvalidClientDataError, parseClientData } from './signature/clientData.ts'
export { parseTempoSignature } from './signature/parseTempoSignature.ts'
export {
  classifyTempoSignature,
  serializeTempoSignature,
  type TempoKeyClass,
  type TempoSignatureClass,
} from './signature/serializeTempoSignature.ts'
export type { TempoPrimitiveSignature, TempoSignature } from './signature/tempoSignature.ts'
export { keychainDigest } from './signature/tempoSignature.ts'
export { accessKeySigner } from './signer/accessKeySigner.ts'
export { type PasskeyAssertion, passkeySigner } from './signer/passkeySigner.ts'
export type { TempoSigner } from './signer/tempoSigner.ts'
export { InvalidKeyPairError, type WebCryptoKey, webCryptoSigner } from './signer/webCryptoSigner.ts'
export { buildTempoTransaction } from './transaction/buildTempoTransaction.ts'
export { inspectTempoTransaction } from './transaction/inspectTempoTransaction.ts'
export type { TempoTransactionDetails } from './transaction/judgeTempoTransaction.ts'
export { parseTempoTransaction } from './transaction/parseTempoTransaction.ts'
export {
  hashTempoFeePayer,
  hashTempoTransaction,
  serializeTempoTransaction,
} from './transaction/serializeTempoTransaction.ts'
export { signTempoTransaction } from './transaction/signTempoTransaction.ts'
export { sponsorTempoTransaction } from './transaction/sponsorTempoTransaction.ts'
export type { TempoCall, TempoTransaction } from './transaction/tempoTransaction.ts'
export type { TempoTransactionExpectation } from './transaction/tempoTransactionExpectation.ts'
export { askSignatureVerifier } from './verify/askSignatureVerifier.ts'
export { checkTempoSignature, verifyTempoSignature } from './verify/checkTempoSignature.ts'
export { getAccessKey } from './verify/getAccessKey.ts'
export type { AccessKey, TempoSignatureCheck, TempoSignatureProblem } from './verify/tempoSignatureCheck.ts'
export { tempoSignatures } from './verify/tempoSignatures.ts'
export type { WebAuthnExpectation } from './verify/webAuthnExpectation.ts'
