// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Credits} from "../../src/Credits.sol";
import {CreditsExtension} from "../../src/CreditsExtension.sol";
import {ICredits} from "../../src/ICredits.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {Setup} from "../../src/RoleGrant.sol";

/// @dev The storage that both contracts below add.
abstract contract UsedNonces {
    /// @dev By the full nonce: its bytes have no meaning to these contracts.
    mapping(address wallet => mapping(bytes32 nonce => uint256 flags)) internal _uses;
}

/// @title Simulates the credits contract of a service with random nonces
/// @notice For tests and the sandbox, never to be deployed for value: the operator decides what a permit is spent on.
/// @dev PROTOCOL.md 4.6. Balances, whitelist, the customer's USDC and the settlements are those of `Credits`. A permit's nonce
/// is any 32 bytes, used once per wallet, and only an operator may redeem. There is no `orderState`, no cancellation and no batch:
/// such a call reverts without data, as a call of a missing function does. `Redeemed` is never emitted.
contract RandomNonceCredits is Credits, UsedNonces {
    /// @dev The constructor of `Credits`.
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    ) Credits(usdc_, admin, adminDelay, feeRecipient_, signatureVerifier_, setup) {}

    function _deployExtension() internal override returns (address) {
        return address(new RandomNonceCreditsExtension(usdc, signatureVerifier));
    }

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external override nonReentrant whenNotPaused {
        Permit calldata permit = request.permit;
        Intent calldata intent = request.intent;
        string calldata creditSeed = permit.creditSeed;
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        if (!hasRole(OPERATOR_ROLE, msg.sender)) revert RandomNoncePermitNotAllowed(creditSeed, msg.sender);
        if (intent.salt != 0) revert SaltNotAllowed(intent.salt);
        if (intent.amount == 0) revert ZeroAmount();
        if (intent.usdcAmount > intent.amount) revert UsdcAmountExceedsAmount(intent.usdcAmount, intent.amount);
        uint256 charged = intent.amount - intent.usdcAmount + request.gasFee;
        if (charged > permit.amount) revert ExceedsAuthorized(charged, permit.amount);
        _requirePermit(permit, creditSeedHash);

        _useNonce(permit.customerWallet, permit.nonce, intent.usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, permit.customerWallet, charged, request.gasFee);
        _collectUsdc(permit, intent.usdcAmount, request.usdcAuthorization);
        _execute(permit, intent.amount, request.settlement, creditSeedHash);
    }

    /// @dev Absent.
    function redeemBatch(bytes[] calldata, uint256[] calldata) external pure override returns (BatchResult[] memory) {
        revert();
    }

    /// @dev Absent.
    function redeemToken(Permit calldata, uint256, uint256, bytes32, address) external pure override {
        revert();
    }

    /// @dev Absent.
    function orderState(address, bytes12) external pure override returns (OrderState, bytes20, uint40) {
        revert();
    }

    /// @dev Absent.
    function cancelCreditsAuthorization(address, bytes32, bytes calldata) external pure override {
        revert();
    }

    function _useNonce(address wallet, bytes32 nonce, uint256 flags) private {
        if (_uses[wallet][nonce] != 0) {
            revert OrderUsed(wallet, bytes12(nonce), OrderState.Redeemed, bytes20(uint160(uint256(nonce))));
        }
        _uses[wallet][nonce] = flags;
    }
}

/// @title The rare functions of `RandomNonceCredits`
contract RandomNonceCreditsExtension is CreditsExtension, UsedNonces {
    constructor(IUsdc usdc_, address signatureVerifier_) CreditsExtension(usdc_, signatureVerifier_) {}

    function _isUsdcCollected(address wallet, bytes32 nonce) internal view override returns (bool) {
        return _uses[wallet][nonce] & USDC_COLLECTED != 0;
    }

    /// @dev Every nonce is a random one.
    function _requireMayExecuteEarly(bytes32) internal pure override {}
}
