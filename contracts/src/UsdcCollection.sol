// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "./ICredits.sol";
import {Ledger} from "./Ledger.sol";
import {Permits} from "./Permits.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The customer's USDC: taken by authorization (EIP-3009), and credited when it came early
/// @dev PROTOCOL.md 5.4 and 5.5.
abstract contract UsdcCollection is Ledger, Permits {
    mapping(address from => mapping(bytes32 nonce => bool)) private _creditedEarly;

    /// @inheritdoc ICredits
    function creditEarlyAuthorization(string calldata creditSeed, EarlyAuthorization calldata authorization)
        external
        virtual
        nonReentrant
        whenNotPaused
        onlyRole(OPERATOR_ROLE)
    {
        address from = authorization.from;
        bytes32 nonce = authorization.nonce;
        uint256 value = authorization.value;
        if (from == address(0)) revert ZeroAddress("from");
        if (value == 0) revert ZeroAmount();
        _requireMayLandEarly(nonce);
        if (_creditedEarly[from][nonce] || _isUsdcCollected(from, nonce)) {
            revert AuthorizationAlreadyCredited(from, nonce);
        }
        if (!usdc.authorizationState(from, nonce)) revert AuthorizationNotLanded(from, nonce);
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            usdc.DOMAIN_SEPARATOR(), RedeemHash.transferWithAuthorization(authorization, address(this))
        );
        if (!SignatureChecker.isValidSignatureNowCalldata(from, digest, authorization.signature)) {
            revert InvalidEarlyAuthorization(from, digest);
        }
        uint256 available = _surplus();
        if (value > available) revert InsufficientSurplus(available, value);

        _creditedEarly[from][nonce] = true;
        _addCredits(keccak256(bytes(creditSeed)), from, value);
        emit EarlyAuthorizationCredited(from, nonce, creditSeed, value);
    }

    /// @dev With a bound nonce only `ReceiveWithAuthorization` is signed, which nobody else can send to the token.
    function _requireMayLandEarly(bytes32 nonce) internal pure virtual {
        if (RedeemHash.isBound(nonce)) revert RandomNonceRequired(nonce);
    }

    /// @dev Takes `value` from the customer by an authorization that can mean nothing but this redeem: everything in it but
    /// the type comes from the permit.
    function _collectUsdc(Permit calldata permit, uint256 value, UsdcAuthorization calldata authorization) internal {
        UsdcMethod method = authorization.method;
        bytes calldata signature = authorization.signature;
        if (value == 0) {
            if (method != UsdcMethod.None || signature.length != 0) revert UnexpectedUsdcAuthorization();
            return;
        }
        if (method == UsdcMethod.None) revert MissingUsdcAuthorization();

        address from = permit.customerWallet;
        uint256 validBefore = permit.validBefore;
        bytes32 nonce = permit.nonce;
        uint256 balance = _balance();
        if (method == UsdcMethod.TransferV2) {
            usdc.transferWithAuthorization(from, address(this), value, 0, validBefore, nonce, signature);
        } else if (method == UsdcMethod.ReceiveV2) {
            usdc.receiveWithAuthorization(from, address(this), value, 0, validBefore, nonce, signature);
        } else {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            bytes32 r = bytes32(signature[:32]);
            bytes32 s = bytes32(signature[32:64]);
            uint8 v = uint8(signature[64]);
            if (method == UsdcMethod.TransferV1) {
                usdc.transferWithAuthorization(from, address(this), value, 0, validBefore, nonce, v, r, s);
            } else {
                usdc.receiveWithAuthorization(from, address(this), value, 0, validBefore, nonce, v, r, s);
            }
        }
        _requireReceived(balance, value);
    }
}
