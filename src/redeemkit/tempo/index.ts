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
export { inspect } from './inspect.ts'
export type { TempoMovement } from './knownCalls.ts'
export { type TempoToken, tempoContracts, tempoTokens } from './network.ts'
export { checkTempoSignature, verifyTempoSignature } from './signature/checkTempoSignature.ts'
export {
  classifyTempoSignature,
  type TempoKeyClass,
  type TempoSignatureClass,
} from './signature/classifyTempoSignature.ts'
export { type ClientData, InvalidClientDataError, parseClientData } from './signature/clientData.ts'
export { getAccessKey } from './signature/getAccessKey.ts'
export {
  keychainDigest,
  parseTempoSignature,
  serializeTempoSignature,
  type TempoPrimitiveSignature,
  type TempoSignature,
} from './signature/tempoSignature.ts'
export type {
  AccessKey,
  TempoSignatureCheck,
  TempoSignatureProblem,
} from './signature/tempoSignatureCheck.ts'
export { askSignatureVerifier, tempoSignatures } from './signature/tempoSignatures.ts'
export type { WebAuthnExpectation } from './signature/webAuthnExpectation.ts'
export { type PasskeyAssertion, passkeySigner } from './signer/passkeySigner.ts'
export { accessKeySigner, type TempoSigner } from './signer/tempoSigner.ts'
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
export { signTempoTransaction, sponsorTempoTransaction } from './transaction/signTempoTransaction.ts'
export type { TempoCall, TempoTransaction } from './transaction/tempoTransaction.ts'
export type { TempoTransactionExpectation } from './transaction/tempoTransactionExpectation.ts'
