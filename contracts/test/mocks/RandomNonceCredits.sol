// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Credits} from "../../src/Credits.sol";
import {CreditsExtension} from "../../src/CreditsExtension.sol";
import {ICredits} from "../../src/ICredits.sol";
import {IUsdc} from "../../src/IUsdc.sol";
import {Setup} from "../../src/RoleGrant.sol";

/// @dev The storage that the two contracts below add.
abstract contract UsedNonces {
    /// @dev Keyed by the full nonce, because parts of a nonce have no meaning to these contracts.
    mapping(address wallet => mapping(bytes32 nonce => uint256 flags)) internal _uses;
}

/// @title Simulates the credits contract of a service with random nonces
/// @notice For tests and the sandbox. Never deploy it for value: the operator decides what a permit is spent on.
/// @dev See PROTOCOL.md 4.6. Balances, whitelist, the customer's USDC and the settlements work as in `Credits`. A
/// permit's nonce is any 32 bytes, used once per wallet, and only an operator may redeem. `orderState`, cancellation
/// and batches are missing: such a call reverts without data, like a call to a function that does not exist. `Redeemed`
/// is never emitted.
contract RandomNonceCredits is Credits, UsedNonces {
    /// @dev Takes the arguments of the `Credits` constructor.
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

    /// @dev The simulated contract does not have this function.
    function redeemBatch(bytes[] calldata, uint256[] calldata) external pure override returns (BatchResult[] memory) {
        revert();
    }

    /// @dev The simulated contract does not have this function.
    function redeemToken(Permit calldata, uint256, uint256, bytes32, address) external pure override {
        revert();
    }

    /// @dev The simulated contract does not have this function.
    function orderState(address, bytes12) external pure override returns (OrderState, bytes20, uint40) {
        revert();
    }

    /// @dev The simulated contract does not have this function.
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

/// @title The rarely used functions of `RandomNonceCredits`
contract RandomNonceCreditsExtension is CreditsExtension, UsedNonces {
    constructor(IUsdc usdc_, address signatureVerifier_) CreditsExtension(usdc_, signatureVerifier_) {}

    function _isUsdcCollected(address wallet, bytes32 nonce) internal view override returns (bool) {
        return _uses[wallet][nonce] & USDC_COLLECTED != 0;
    }

    /// @dev Treats every nonce as a random nonce.
    function _requireMayExecuteEarly(bytes32) internal pure override {}
}
