// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The cheatcodes of forge that `RedeemTest` uses
/// @dev Has a separate name, so that it does not conflict with the `Vm` of a test library.
interface RedeemTestVm {
    enum AccountAccessKind {
        Call,
        DelegateCall,
        CallCode,
        StaticCall,
        Create,
        SelfDestruct,
        Resume,
        Balance,
        Extcodesize,
        Extcodehash,
        Extcodecopy
    }

    struct ChainInfo {
        uint256 forkId;
        uint256 chainId;
    }

    struct StorageAccess {
        address account;
        bytes32 slot;
        bool isWrite;
        bytes32 previousValue;
        bytes32 newValue;
        bool reverted;
    }

    /// @dev Decoding ignores fields that newer versions of forge append.
    struct AccountAccess {
        ChainInfo chainInfo;
        AccountAccessKind kind;
        address account;
        address accessor;
        bool initialized;
        uint256 oldBalance;
        uint256 newBalance;
        bytes deployedCode;
        uint256 value;
        bytes data;
        bool reverted;
        StorageAccess[] storageAccesses;
        uint64 depth;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function load(address target, bytes32 slot) external view returns (bytes32);
    function deal(address account, uint256 balance) external;
    function etch(address target, bytes calldata code) external;
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function startStateDiffRecording() external;
    function stopAndReturnStateDiff() external returns (AccountAccess[] memory);
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool);
    function toString(uint256 value) external pure returns (string memory);
    function toString(address value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);
}

/// @dev forge's cheatcodes are at the last 20 bytes of keccak256("hevm cheat code").
RedeemTestVm constant redeemTestVm = RedeemTestVm(address(uint160(uint256(keccak256("hevm cheat code")))));
