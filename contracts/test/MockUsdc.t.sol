// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

contract MockUsdcTest is Test {
    uint256 private constant NOW = 1_800_000_000;
    uint256 private constant KEY = uint256(keccak256("from"));

    address private immutable from = vm.addr(KEY);
    address private immutable to = address(0x70);
    address private immutable issuer = address(0x155);

    MockUsdc private usdc;
    string private vectors;

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    function setUp() public {
        vm.warp(NOW);
        vm.chainId(8453);
        vectors = vm.readFile("test/vectors/usdc.json");
        usdc = _etched(8453, 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913, "USD Coin");
        vm.prank(issuer);
        usdc.configureMinter(issuer, 1_000_000);
        vm.prank(issuer);
        usdc.mint(from, 1000);
    }

    function _etched(uint256 chainId, address account, string memory name) private returns (MockUsdc token) {
        vm.chainId(chainId);
        token = MockUsdc(account);
        vm.etch(account, address(new MockUsdc()).code);
        token.initialize(name, "USDC", "USD", 6, issuer, issuer, issuer, issuer);
    }

    /// @dev At each real address, the mock has the domain of the real token.
    function test_domainSeparators() public {
        for (uint256 i = 0; i < 10; ++i) {
            string memory path = string.concat(".tokens[", vm.toString(i), "]");
            address account = vm.parseJsonAddress(vectors, string.concat(path, ".address"));
            if (account == address(usdc)) continue;
            MockUsdc token = _etched(
                vm.parseJsonUint(vectors, string.concat(path, ".chainId")),
                account,
                vm.parseJsonString(vectors, string.concat(path, ".name"))
            );
            vm.assertEq(token.DOMAIN_SEPARATOR(), vm.parseJsonBytes32(vectors, string.concat(path, ".domainSeparator")));
        }
        vm.chainId(8453);
        vm.assertEq(usdc.DOMAIN_SEPARATOR(), vm.parseJsonBytes32(vectors, ".tokens[4].domainSeparator"));
    }

    function test_typehashesAndSelectors() public view {
        vm.assertEq(
            usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
            0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267
        );
        vm.assertEq(
            usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8
        );
        vm.assertEq(
            usdc.CANCEL_AUTHORIZATION_TYPEHASH(), 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429
        );
        vm.assertEq(usdc.PERMIT_TYPEHASH(), 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9);
    }

    // EIP-3009

    function _authorization() private view returns (Authorization memory) {
        return Authorization(from, to, 100, NOW - 10, NOW + 10, keccak256("nonce"));
    }

    function _digest(bytes32 typehash, Authorization memory a) private view returns (bytes32) {
        bytes32 structHash =
            keccak256(abi.encode(typehash, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce));
        return keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
    }

    function _transferSignature(Authorization memory a) private view returns (bytes memory) {
        return _signature(KEY, _digest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a));
    }

    function _transfer(Authorization memory a, bytes memory signature) private {
        usdc.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
    }

    function _expectReason(string memory key) private {
        string memory reason = vm.parseJsonString(vectors, string.concat(".revertReasons.", key));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", reason));
    }

    function test_transferWithAuthorization() public {
        Authorization memory a = _authorization();
        assertFalse(usdc.authorizationState(from, a.nonce));
        vm.expectEmit(address(usdc));
        emit MockUsdc.AuthorizationUsed(from, a.nonce);
        _transfer(a, _transferSignature(a));
        vm.assertEq(usdc.balanceOf(to), 100);
        vm.assertTrue(usdc.authorizationState(from, a.nonce));
        bytes memory signature = _transferSignature(a);
        _expectReason("usedOrCanceled");
        _transfer(a, signature);
    }

    function test_transferWithAuthorization_v1() public {
        Authorization memory a = _authorization();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a));
        usdc.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, v, r, s);
        vm.assertEq(usdc.balanceOf(to), 100);
    }

    function test_transferWithAuthorization_timeBounds() public {
        Authorization memory a = _authorization();
        bytes memory signature = _transferSignature(a);
        vm.warp(a.validAfter - 1);
        _expectReason("notYetValid");
        _transfer(a, signature);
        vm.warp(a.validAfter);
        _expectReason("notYetValid");
        _transfer(a, signature);
        vm.warp(a.validBefore);
        _expectReason("expired");
        _transfer(a, signature);
        vm.warp(a.validBefore + 1);
        _expectReason("expired");
        _transfer(a, signature);
        uint256 id = vm.snapshotState();
        vm.warp(a.validAfter + 1);
        _transfer(a, signature);
        vm.revertToState(id);
        vm.warp(a.validBefore - 1);
        _transfer(a, signature);
    }

    function test_transferWithAuthorization_revertsWhenSignatureIsWrong() public {
        Authorization memory a = _authorization();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a));
        _expectReason("ecrecoverLength");
        _transfer(a, abi.encodePacked(r, s));
        _expectReason("ecrecoverV");
        _transfer(a, abi.encodePacked(r, s, v - 27));
        _expectReason("ecrecoverV");
        _transfer(a, abi.encodePacked(r, s, uint8(29)));
        _expectReason("ecrecoverS");
        _transfer(a, abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), v));
        _expectReason("ecrecover");
        _transfer(a, abi.encodePacked(bytes32(0), s, v));
        a.value += 1;
        _expectReason("invalidSignature");
        _transfer(a, abi.encodePacked(r, s, v));
    }

    function test_transferWithAuthorization_smartWallet() public {
        Authorization memory a = _authorization();
        a.from = address(new SmartWallet(from));
        vm.prank(from);
        usdc.transfer(a.from, 100);
        _transfer(a, _transferSignature(a));
        a = _authorization();
        a.from = address(new SmartWallet(to));
        bytes memory signature = _transferSignature(a);
        _expectReason("invalidSignature");
        _transfer(a, signature);
    }

    function test_receiveWithAuthorization() public {
        Authorization memory a = _authorization();
        bytes memory signature = _signature(KEY, _digest(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), a));
        _expectReason("callerNotPayee");
        usdc.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
        vm.prank(to);
        usdc.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
        a.nonce = keccak256("v1");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _digest(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), a));
        vm.prank(to);
        usdc.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, v, r, s);
        vm.assertEq(usdc.balanceOf(to), 200);
    }

    function test_cancelAuthorization() public {
        Authorization memory a = _authorization();
        bytes32 structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), from, a.nonce));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
        bytes memory wrong = _signature(KEY + 1, digest);
        _expectReason("invalidSignature");
        usdc.cancelAuthorization(from, a.nonce, wrong);
        uint256 id = vm.snapshotState();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        usdc.cancelAuthorization(from, a.nonce, v, r, s);
        vm.assertTrue(usdc.authorizationState(from, a.nonce));
        vm.revertToState(id);
        usdc.cancelAuthorization(from, a.nonce, _signature(KEY, digest));
        bytes memory signature = _transferSignature(a);
        _expectReason("usedOrCanceled");
        _transfer(a, signature);
        bytes memory again = _signature(KEY, digest);
        _expectReason("usedOrCanceled");
        usdc.cancelAuthorization(from, a.nonce, again);
    }

    function test_permit() public {
        bytes32 structHash = keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), from, to, 70, 0, NOW));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
        bytes memory signature = _signature(KEY, digest);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        uint256 id = vm.snapshotState();
        usdc.permit(from, to, 70, NOW, v, r, s);
        vm.assertEq(usdc.allowance(from, to), 70);
        vm.assertEq(usdc.nonces(from), 1);
        _expectReason("permitInvalidSignature");
        usdc.permit(from, to, 70, NOW, signature);
        vm.revertToState(id);
        usdc.permit(from, to, 70, NOW, signature);
        vm.warp(NOW + 1);
        _expectReason("permitExpired");
        usdc.permit(from, to, 70, NOW, signature);
    }

    // ERC-20

    function test_transfer_reasons() public {
        vm.startPrank(from);
        _expectReason("transferExceedsBalance");
        usdc.transfer(to, 1001);
        usdc.approve(to, 100);
        usdc.increaseAllowance(to, 5);
        usdc.decreaseAllowance(to, 6);
        vm.stopPrank();
        vm.startPrank(to);
        _expectReason("transferExceedsAllowance");
        usdc.transferFrom(from, to, 100);
        usdc.transferFrom(from, to, 99);
        vm.assertEq(usdc.balanceOf(to), 99);
    }

    function test_blacklist() public {
        vm.prank(issuer);
        usdc.blacklist(to);
        vm.prank(from);
        _expectReason("blacklisted");
        usdc.transfer(to, 1);
        vm.prank(from);
        _expectReason("blacklisted");
        usdc.transfer(address(usdc), 1);
        Authorization memory a = _authorization();
        bytes memory signature = _transferSignature(a);
        _expectReason("blacklisted");
        _transfer(a, signature);
        vm.prank(issuer);
        usdc.unBlacklist(to);
        _transfer(a, signature);
    }

    function test_pause() public {
        vm.prank(issuer);
        usdc.pause();
        vm.prank(from);
        _expectReason("paused");
        usdc.transfer(to, 1);
        vm.prank(issuer);
        usdc.unpause();
        vm.prank(from);
        usdc.transfer(to, 1);
    }

    function test_minting() public {
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatToken: caller is not the masterMinter"));
        usdc.configureMinter(to, 1);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatToken: caller is not a minter"));
        usdc.mint(to, 1);
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatToken: mint amount exceeds minterAllowance"));
        usdc.mint(to, 999_001);
        vm.assertEq(usdc.minterAllowance(issuer), 999_000);
        usdc.mint(issuer, 10);
        usdc.burn(4);
        vm.assertEq(usdc.totalSupply(), 1006);
        usdc.removeMinter(issuer);
        assertFalse(usdc.isMinter(issuer));
    }

    function test_initialize_revertsWhenRepeated() public {
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatToken: contract is already initialized"));
        usdc.initialize("a", "b", "c", 6, to, to, to, to);
    }
}
