// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICreditsContract, ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {Payment} from "./mocks/HonestMerchants.sol";
import {SmartWallet, SmartWalletFactory} from "./mocks/Wallets.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title A factory of CREATE3 addresses
interface ICreate3Factory {
    function deploy(bytes32 salt, bytes calldata creationCode) external returns (address deployed);
    function addressOf(address deployer, bytes32 salt) external view returns (address);
}

/// @title A customer that is its own merchant
contract MerchantWallet is SmartWallet, Payment {
    constructor(address owner_, address usdc_) SmartWallet(owner_) Payment(usdc_) {}

    function buy(uint256 price) external {
        _pull(price);
    }
}

/// @title A merchant that asks the escrow during its redeem which digests the escrow accepts
contract AskingMerchant {
    bytes32[] private _digests;
    bool[] public answers;

    function prepare(bytes32[] calldata digests) external {
        _digests = digests;
    }

    function ask(address escrow) external {
        for (uint256 i = 0; i < _digests.length; ++i) {
            answers.push(ICustomerEscrow(escrow).isValidSignature(_digests[i], "") == 0x1626ba7e);
        }
    }
}

/// @title Attacks known from other contracts: delegatecall extensions, exits from a pause, CREATE3, smart wallets
contract OutsideTest is CreditsFixture {
    bytes32 private constant ERC6492_MAGIC = 0x6492649264926492649264926492649264926492649264926492649264926492;

    address private immutable pauser = _person("pauser");

    // The extension, called directly

    /// @dev A direct call uses the extension's empty storage, and changes neither contract.
    function test_extension_calledDirectly_doesNothing() public {
        address place = _extension();
        ICreditsContract extension = ICreditsContract(place);
        _redeem(_signed(_token(receiver), DOLLAR, 0, DOLLAR, ICredits.UsdcMethod.None));
        uint256 held = usdc.balanceOf(address(credits));
        // A pause of the credits contract does not pause the extension.
        vm.prank(admin);
        credits.pauseUntil(uint40(NOW + 10 days));
        assertFalse(extension.paused());
        vm.assertEq(extension.withdrawFees(), 0);
        vm.assertEq(credits.feesOwed(), DOLLAR);
        vm.warp(NOW + 3 days);
        bytes memory signature =
            _signature(CUSTOMER_KEY, extension.hashBurnCredits(customer, SEED, DOLLAR, block.timestamp + 1));
        vm.expectRevert(abi.encodeWithSelector(ICredits.InsufficientCredits.selector, SEED, customer, 0, DOLLAR));
        extension.burnBySignature(customer, SEED, DOLLAR, block.timestamp + 1, signature);
        vm.assertTrue(extension.DOMAIN_SEPARATOR() != credits.DOMAIN_SEPARATOR());
        vm.assertEq(extension.creditsOf(SEED, customer), 0);
        vm.assertEq(usdc.balanceOf(address(credits)), held);
    }

    /// @dev The admin, operator and minter of the credits contract have no role in the extension.
    function test_extension_calledDirectly_hasNoRoles() public {
        address extension = _extension();
        bytes[] memory calls = _privileged();
        address[3] memory callers = [admin, operator, minter];
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 j = 0; j < callers.length; ++j) {
                vm.prank(callers[j]);
                (bool success, bytes memory answer) = extension.call(calls[i]);
                assertFalse(success);
                vm.assertEq(bytes32(bytes4(answer)), bytes32(bytes4(_unauthorized(callers[j], 0))));
            }
        }
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSignature("AccessControlInvalidDefaultAdmin(address)", admin));
        ICreditsContract(extension).acceptDefaultAdminTransfer();
    }

    /// @dev The extension rejects the functions that the credits contract implements itself.
    function test_extension_calledDirectly_hasNoMoneyPath() public {
        address extension = _extension();
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        bytes[6] memory calls = [
            abi.encodeCall(ICredits.redeem, (request)),
            abi.encodeCall(ICredits.redeemToken, (request.permit, DOLLAR, 0, request.intent.salt, receiver)),
            abi.encodeCall(ICredits.redeemBatch, (new bytes[](0), new uint256[](0))),
            abi.encodeCall(ICredits.cancelCreditsAuthorization, (customer, request.permit.nonce, "")),
            abi.encodeCall(ICredits.mint, (SEED, customer, 1)),
            abi.encodeCall(ICredits.burn, (SEED, customer, 1))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(operator);
            (bool success, bytes memory answer) = extension.call(calls[i]);
            assertFalse(success);
            vm.assertEq(answer, abi.encodeWithSelector(ICredits.OnlySelf.selector, operator));
        }
    }

    /// @dev The delegated code uses the EIP-712 domain of the credits contract and of the current chain.
    function test_exit_afterAChainSplit() public {
        vm.chainId(10_001);
        _pauseFor(10 days);
        vm.warp(NOW + 3 days);
        bytes memory signature = _signature(CUSTOMER_KEY, credits.hashBurnCredits(customer, SEED, DOLLAR, NOW + 4 days));
        uint256 before = vm.snapshotState();
        credits.burnBySignature(customer, SEED, DOLLAR, NOW + 4 days, signature);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        vm.revertToState(before);
        vm.chainId(8453);
        vm.expectPartialRevert(ICredits.InvalidBurnSignature.selector);
        credits.burnBySignature(customer, SEED, DOLLAR, NOW + 4 days, signature);
    }

    // The exit

    /// @dev Compares random pauses with a model. Pauses with gaps below 3 days form a series. The exit opens 3 days
    /// after the series began; whenever a pause ends, `exitOpensAt` is zero again.
    function testFuzz_exit_followsEveryOrderOfPauses(uint256 seed) public {
        uint256[] memory begins = new uint256[](24);
        uint256[] memory ends = new uint256[](24);
        uint256 count = 0;
        bytes32 role = credits.PAUSER_ROLE();
        for (uint256 i = 0; i < 24; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            vm.warp(block.timestamp + (seed >> 8) % [1 hours, 1 days, 3 days, 6 days][(seed >> 64) % 4]);
            bool isPaused = count != 0 && block.timestamp < ends[count - 1];
            uint256 until = 0;
            if (seed % 4 == 0 && !isPaused) {
                vm.prank(admin);
                credits.grantRole(role, pauser);
                vm.prank(pauser);
                credits.pause();
                until = block.timestamp + 7 days;
            } else if (seed % 4 == 1) {
                until = block.timestamp + 1 + (seed >> 128) % 10 days;
                vm.prank(admin);
                credits.pauseUntil(uint40(until));
            } else if (seed % 4 == 2 && isPaused) {
                vm.prank(admin);
                credits.unpause();
                ends[count - 1] = block.timestamp;
            }
            if (until != 0) {
                if (!isPaused) begins[count++] = block.timestamp;
                ends[count - 1] = until;
            }
            _assertExit(_expectedExit(begins, ends, count));
        }
    }

    function _expectedExit(uint256[] memory begins, uint256[] memory ends, uint256 count)
        private
        view
        returns (uint256)
    {
        if (count == 0 || block.timestamp >= ends[count - 1]) return 0;
        uint256 first = count - 1;
        while (first != 0 && begins[first] < ends[first - 1] + 3 days) --first;
        return begins[first] + 3 days;
    }

    function _assertExit(uint256 opensAt) private {
        vm.assertEq(credits.exitOpensAt(), opensAt);
        vm.assertTrue(credits.paused() == (opensAt != 0));
        uint256 before = vm.snapshotState();
        bool left = _exit();
        vm.assertTrue(left == (block.timestamp >= opensAt), "exit");
        vm.revertToState(before);
    }

    /// @dev The last admin pauses forever and renounces the role. Customers can still leave.
    function test_exit_withoutAnAdmin() public {
        vm.startPrank(admin);
        credits.beginDefaultAdminTransfer(address(0));
        vm.warp(NOW + 1 days + 1);
        credits.pauseUntil(type(uint40).max);
        credits.renounceRole(bytes32(0), admin);
        vm.stopPrank();
        vm.assertEq(credits.defaultAdmin(), address(0));
        vm.warp(NOW + 4 days + 1);
        vm.assertTrue(_exit());
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        _assertBacked();
    }

    /// @dev During a pause, the new admin can lift it, and the former admin cannot extend it.
    function test_admin_isHandedOverDuringAPause() public {
        _pauseFor(10 days);
        vm.prank(admin);
        credits.beginDefaultAdminTransfer(receiver);
        vm.warp(NOW + 1 days + 1);
        vm.prank(receiver);
        credits.acceptDefaultAdminTransfer();
        vm.prank(admin);
        vm.expectRevert(_unauthorized(admin, 0));
        credits.pauseUntil(uint40(NOW + 30 days));
        vm.prank(receiver);
        credits.unpause();
        _redeem(_signed(_token(customer), DOLLAR));
    }

    /// @dev USDC has blocked the customer. The exit reverts, and changes neither credits nor nonce.
    function test_exit_revertsWhenUsdcBlocksTheCustomer() public {
        _pauseFor(10 days);
        vm.warp(NOW + 3 days);
        vm.prank(issuer);
        usdc.blacklist(customer);
        assertFalse(_exit());
        vm.assertEq(credits.burnNonce(customer), 0);
        vm.assertEq(_customerCredits(), 1000 * DOLLAR);
    }

    // Contract wallets

    /// @dev An ERC-6492 wrapper asks the verifier to deploy the wallet. The contract does not unwrap it.
    function test_redeem_revertsWhenTheWalletIsNotDeployed() public {
        SmartWalletFactory factory = new SmartWalletFactory();
        address wallet = factory.walletOf(customer, 1);
        ICredits.RedeemRequest memory request = _signedBy(wallet, _token(receiver), DOLLAR);
        bytes memory inner = request.permit.signature;
        bytes memory create = abi.encodeCall(SmartWalletFactory.createWallet, (customer, 1));
        request.permit.signature = bytes.concat(abi.encode(address(factory), create, inner), ERC6492_MAGIC);
        bytes memory refused = abi.encodeWithSelector(
            ICredits.InvalidPermitSignature.selector, wallet, credits.hashCreditsAuthorization(request.permit)
        );
        _expectRedeemReverts(request, refused);
        factory.createWallet(customer, 1);
        _expectRedeemReverts(request, refused);
        request.permit.signature = inner;
        _redeem(request);
    }

    /// @dev Two wallets have the same owner. A signature for one wallet is invalid for the other.
    function test_redeem_revertsWhenSignedForAnotherWalletOfTheOwner() public {
        address first = address(new SmartWallet(customer));
        address second = address(new SmartWallet(customer));
        _mintCredits(SEED, second, DOLLAR);
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.customerWallet = first;
        _bind(request);
        _sign(request);
        request.permit.customerWallet = second;
        _bind(request, bytes12(request.permit.nonce));
        _expectRedeemReverts(
            request,
            abi.encodeWithSelector(
                ICredits.InvalidPermitSignature.selector, second, credits.hashCreditsAuthorization(request.permit)
            )
        );
        bytes memory cancel =
            _signature(CUSTOMER_KEY, credits.hashCancelCreditsAuthorization(first, request.permit.nonce));
        vm.expectPartialRevert(ICredits.InvalidCancelSignature.selector);
        credits.cancelCreditsAuthorization(second, request.permit.nonce, cancel);
    }

    /// @dev The wallet's redeem pays the wallet itself and refunds the rest as credits. The totals stay correct.
    function test_redeem_ofAWalletThatIsTheMerchant() public {
        address wallet = address(new MerchantWallet(customer, address(usdc)));
        _allow(wallet);
        bytes memory buy = abi.encodeCall(MerchantWallet.buy, (2 * DOLLAR));
        _redeem(_signedBy(wallet, _call(ICredits.Kind.Normal, wallet, buy), 5 * DOLLAR));
        vm.assertEq(usdc.balanceOf(wallet), 2 * DOLLAR);
        vm.assertEq(credits.creditsOf(SEED, wallet), 3 * DOLLAR);
        vm.assertEq(usdc.allowance(address(credits), wallet), 0);
        _assertBacked();
    }

    /// @dev During a redeem, the escrow accepts only the digest of that permit.
    function test_escrow_signsNothingElseDuringItsRedeem() public {
        IPaymentSettlementContract payments = _newPayments();
        AskingMerchant merchant = new AskingMerchant();
        _allow(address(merchant));
        address escrow = payments.escrowOf(customer);
        IPaymentSettlement.Payment memory payment;
        payment.id = keccak256("asked");
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = DOLLAR;
        payment.settlement =
            _call(ICredits.Kind.Normal, address(merchant), abi.encodeCall(AskingMerchant.ask, (escrow)));
        merchant.prepare(_digestsOf(payment, escrow));
        _fund(operator, DOLLAR);
        vm.prank(operator);
        payments.settle(payment);
        vm.assertTrue(merchant.answers(0), "its permit");
        for (uint256 i = 1; i < 6; ++i) {
            assertFalse(merchant.answers(i), vm.toString(i));
        }
    }

    /// @dev Returns the digest that the escrow accepts, followed by digests that a thief could use.
    function _digestsOf(IPaymentSettlement.Payment memory payment, address escrow)
        private
        view
        returns (bytes32[] memory digests)
    {
        ICredits.Permit memory permit;
        permit.customerWallet = escrow;
        permit.creditSeed = SEED;
        permit.amount = DOLLAR;
        permit.validBefore = block.timestamp + 1;
        permit.nonce = credits.intentNonce(
            bytes12(payment.id),
            escrow,
            credits.hashSettlement(payment.settlement),
            ICredits.Intent({amount: DOLLAR, usdcAmount: 0, salt: payment.id})
        );
        digests = new bytes32[](6);
        digests[0] = credits.hashCreditsAuthorization(permit);
        digests[1] = credits.hashCancelCreditsAuthorization(escrow, permit.nonce);
        digests[2] = credits.hashBurnCredits(escrow, SEED, DOLLAR, block.timestamp + 1);
        digests[3] = adapter.hashClaim(escrow, address(usdc), receiver, block.timestamp + 1);
        permit.amount = 2 * DOLLAR;
        digests[4] = credits.hashCreditsAuthorization(permit);
    }

    // CREATE3

    /// @dev Anyone can call the CREATE3 proxy of a deployment. Each call deploys to a new address.
    function test_create3_proxyCannotReplaceADeployment() public {
        ICreate3Factory factory = ICreate3Factory(vm.deployCode("Create3Factory.sol:Create3Factory", ""));
        bytes32 salt = keccak256("Credits");
        bytes memory stop = hex"6001600c60003960016000f300";
        address place = factory.deploy(salt, stop);
        vm.assertEq(place, factory.addressOf(address(this), salt));
        bytes32 codeHash = keccak256(hex"73365f5f37365f34f06012573d5f5f3e3d5ffd5b005f526014600cf3");
        bytes32 boundSalt = keccak256(abi.encode(address(this), salt));
        address proxy =
            address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(factory), boundSalt, codeHash)))));
        vm.assertTrue(proxy.code.length != 0);
        vm.prank(stranger);
        (bool success,) = proxy.call(stop);
        vm.assertTrue(success);
        vm.assertEq(place.code, hex"00");
        address second = address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", proxy, hex"02")))));
        vm.assertEq(second.code, hex"00");
        vm.expectRevert(abi.encodeWithSignature("FailedDeployment()"));
        factory.deploy{gas: 1_000_000}(salt, stop);
        // For a different deployer, the same salt gives a different address.
        vm.prank(stranger);
        vm.assertTrue(factory.deploy(salt, stop) != place);
    }

    // Helpers

    function _extension() private view returns (address extension) {
        (, bytes memory answer) = address(credits).staticcall(abi.encodeWithSignature("extension()"));
        extension = abi.decode(answer, (address));
    }

    function _privileged() private view returns (bytes[] memory calls) {
        ICredits.EarlyAuthorization memory early;
        calls = new bytes[](12);
        calls[0] = abi.encodeCall(ICredits.creditEarlyAuthorization, (SEED, early));
        calls[1] = abi.encodeCall(ICredits.setWhitelist, (SEED, block.chainid, receiver, 0, true, true, CALL_GAS));
        calls[2] = abi.encodeCall(ICredits.setRandomNoncePermits, (SEED, true));
        calls[3] = abi.encodeCall(ICredits.setFeeRecipient, (receiver));
        calls[4] = abi.encodeCall(ICredits.setBridgeAdapter, (address(adapter)));
        calls[5] = abi.encodeCall(ICredits.setOwnContract, (receiver, true));
        calls[6] = abi.encodeCall(ICredits.rescueErc20, (IERC20(address(normalMerchant)), 1, receiver));
        calls[7] = abi.encodeCall(ICredits.rescueNft, (IERC721(address(mint721)), 1, receiver));
        calls[8] = abi.encodeCall(IEmergencyPause.pause, ());
        calls[9] = abi.encodeCall(IEmergencyPause.pauseUntil, (uint40(NOW + 1)));
        calls[10] = abi.encodeCall(IEmergencyPause.unpause, ());
        calls[11] = abi.encodeWithSignature("grantRole(bytes32,address)", credits.MINTER_ROLE(), minter);
    }

    function _pauseFor(uint256 duration) private {
        vm.prank(admin);
        credits.pauseUntil(uint40(block.timestamp + duration));
    }

    function _exit() private returns (bool success) {
        uint256 validBefore = block.timestamp + 1;
        bytes memory signature = _signature(CUSTOMER_KEY, credits.hashBurnCredits(customer, SEED, DOLLAR, validBefore));
        (success,) = address(credits)
            .call(abi.encodeCall(ICredits.burnBySignature, (customer, SEED, DOLLAR, validBefore, signature)));
    }
}
