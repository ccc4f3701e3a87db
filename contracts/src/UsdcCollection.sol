// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "./ICredits.sol";
import {IUsdcV1, IUsdcV2} from "./IUsdc.sol";
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

        bool transfer = method == UsdcMethod.TransferV1 || method == UsdcMethod.TransferV2;
        uint256 balance = _balance();
        if (method == UsdcMethod.TransferV2 || method == UsdcMethod.ReceiveV2) {
            IUsdcV2 token = IUsdcV2(address(usdc));
            (transfer
                    ? token.transferWithAuthorization
                    : token.receiveWithAuthorization)(
                permit.customerWallet, address(this), value, 0, permit.validBefore, permit.nonce, signature
            );
        } else {
            if (signature.length != 65) revert InvalidV1SignatureLength(signature.length);
            IUsdcV1 token = IUsdcV1(address(usdc));
            (transfer
                    ? token.transferWithAuthorization
                    : token.receiveWithAuthorization)(
                permit.customerWallet,
                address(this),
                value,
                0,
                permit.validBefore,
                permit.nonce,
                uint8(signature[64]),
                bytes32(signature[:32]),
                bytes32(signature[32:64])
            );
        }
        _requireReceived(balance, value);
    }
}
