export {
  classifyTempoSignature,
  type TempoKeyClass,
  type TempoSignatureClass,
} from './envelope/classifyTempoSignature.ts'
export { keychainDigest } from './envelope/keychainDigest.ts'
export { type ClientData, InvalidClientDataError, parseClientData } from './envelope/parseClientData.ts'
export { InvalidTempoSignatureError, parseTempoSignature } from './envelope/parseTempoSignature.ts'
export { serializeTempoSignature } from './envelope/serializeTempoSignature.ts'
export type { TempoPrimitiveSignature, TempoSignature } from './envelope/tempoSignature.ts'
export { isTempoChain, tempoChainIds } from './isTempoChain.ts'
export { accessKeySigner } from './signer/accessKeySigner.ts'
export {
  type PasskeyAssertion,
  PasskeyFailedError,
  PasskeyRefusedError,
  passkeySigner,
  WrongPasskeyError,
} from './signer/passkeySigner.ts'
export type { TempoSigner } from './signer/tempoSigner.ts'
export { InvalidKeyPairError, webCryptoSigner } from './signer/webCryptoSigner.ts'
export { tempoContracts } from './tempoContracts.ts'
export { buildTempoTransaction } from './transaction/buildTempoTransaction.ts'
export { hashTempoFeePayer } from './transaction/hashTempoFeePayer.ts'
export { hashTempoTransaction } from './transaction/hashTempoTransaction.ts'
export {
  inspectTempoTransaction,
  type TempoTransactionDetails,
  type TempoTransactionExpectation,
} from './transaction/inspectTempoTransaction.ts'
export { parseTempoTransaction } from './transaction/parseTempoTransaction.ts'
export { serializeTempoTransaction } from './transaction/serializeTempoTransaction.ts'
export {
  signTempoTransaction,
  TempoTransactionRefusedError,
} from './transaction/signTempoTransaction.ts'
export { sponsorTempoTransaction } from './transaction/sponsorTempoTransaction.ts'
export type { TempoCall, TempoTransaction } from './transaction/tempoTransaction.ts'
export { InvalidTempoTransactionError } from './transaction/writeTempoTransaction.ts'
export { askSignatureVerifier } from './verify/askSignatureVerifier.ts'
export { checkTempoSignature } from './verify/checkTempoSignature.ts'
export { InvalidWebAuthnExpectationError } from './verify/checkWebAuthnExpectation.ts'
export { type AccessKey, getAccessKey } from './verify/getAccessKey.ts'
export type { TempoSignatureCheck, TempoSignatureProblem } from './verify/tempoSignatureCheck.ts'
export { verifyTempoSignature } from './verify/verifyTempoSignature.ts'
export type { WebAuthnExpectation } from './verify/webAuthnExpectation.ts'
